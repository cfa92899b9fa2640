import { useState } from 'preact/hooks';
import { CopyButton } from '#design/display/copy-button.tsx';
import { RadioGroup } from '#design/forms/radio-group.tsx';
import { type EmbedTheme, writeEmbedCode } from './write-embed-code.ts';
import './embed-code.css';

/** The code that embeds the public view in another page. */
export function EmbedCode({ address, name }: { address: string; name: string }) {
  const [theme, setTheme] = useState<EmbedTheme>('system');
  const code = writeEmbedCode(address, name, theme);
  return (
    <div class="card-part embed-code">
      <div>
        <h3>In a page of yours</h3>
        <p class="card-about">The same numbers inside another website, without the header.</p>
      </div>
      <RadioGroup
        legend="Theme"
        name="embed-theme"
        isLegendUnseen
        value={theme}
        onValue={setTheme}
        choices={[
          { value: 'system', label: 'As the system' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
      <div class="secret">
        <code>{code}</code>
        <CopyButton isSmall text={() => code}>
          Copy
        </CopyButton>
      </div>
    </div>
  );
}
