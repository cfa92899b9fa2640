import { useState } from 'preact/hooks';
import { CopyButton } from '#design/display/copy-button.tsx';
import { RadioGroup } from '#design/forms/radio-group.tsx';
import { useAccessWords } from '../access-words.ts';
import { useEditWebsiteWords } from '../edit-website-words.ts';
import { type EmbedTheme, writeEmbedCode } from './write-embed-code.ts';
import './embed-code.css';

/** The code that embeds the public view in another page. */
export function EmbedCode({ address, name }: { address: string; name: string }) {
  const { share: words } = useAccessWords();
  const { copy } = useEditWebsiteWords();
  const [theme, setTheme] = useState<EmbedTheme>('system');
  const code = writeEmbedCode(address, words.frameTitle(name), theme);
  return (
    <div class="card-part embed-code">
      <div>
        <h3>{words.embed}</h3>
        <p class="card-about">{words.embedAbout}</p>
      </div>
      <RadioGroup
        legend={words.theme}
        name="embed-theme"
        isLegendUnseen
        value={theme}
        onValue={setTheme}
        choices={[
          { value: 'system', label: words.system },
          { value: 'light', label: words.light },
          { value: 'dark', label: words.dark },
        ]}
      />
      <div class="secret">
        <code>{code}</code>
        <CopyButton isSmall text={() => code}>
          {copy}
        </CopyButton>
      </div>
    </div>
  );
}
