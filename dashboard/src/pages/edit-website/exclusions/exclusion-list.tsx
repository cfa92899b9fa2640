import type { Exclusion } from '@trackside/contract/app/exclusion-kinds.ts';
import type { ExcludedRecords } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { useFormat } from '#format/format-context.tsx';
import { isSame } from '#forms/merge-edit.ts';
import { useExclusionWords } from './exclusion-words.ts';

type Props = {
  rules: readonly Exclusion[];
  /** What the rules would have excluded, while they aren't saved. */
  preview: ExcludedRecords | undefined;
  onRemove: (rule: Exclusion) => void;
};

export function ExclusionList({ rules, preview, onRemove }: Props) {
  const words = useExclusionWords();
  const format = useFormat();
  const spellPreview = (rule: Exclusion): string => {
    const found = preview?.rules.find(({ kind, value }) => isSame({ kind, value }, rule));
    if (found === undefined) return '';
    if (found.records === null) return words.notPreviewed;
    return format.count(found.records, rule.kind === 'own-host' ? words.previewedOfOthers : words.previewed);
  };
  return (
    <ul class="exclusions">
      {rules.map((rule) => (
        <li class="exclusion" key={`${rule.kind} ${rule.value}`}>
          <div class="grow">
            <div class="faint small">{words.kinds[rule.kind]}</div>
            <code class="exclusion-value">{rule.value}</code>
            {preview !== undefined && <div class="muted small">{spellPreview(rule)}</div>}
          </div>
          <Button
            isSmall
            kind="danger-ghost"
            aria-label={words.removeNamed(`${words.kinds[rule.kind]} ${rule.value}`)}
            onClick={() => onRemove(rule)}
          >
            {words.remove}
          </Button>
        </li>
      ))}
    </ul>
  );
}
