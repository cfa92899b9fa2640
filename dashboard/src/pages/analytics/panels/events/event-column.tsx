import { BarList } from '../bar-list.tsx';
import { ListFault } from '../list/list-fault.tsx';
import type { ListRows } from '../list/use-list-rows.ts';
import { usePanelsWords } from '../panels-words.ts';

type Props = {
  heading: string;
  list: ListRows;
  total: number | undefined;
  limit: number;
  selectedKeys: readonly string[];
  onSelect: (key: string) => void;
  onFilter?: (key: string) => void;
  empty?: string;
};

export function EventColumn({ list, limit, ...others }: Props) {
  const words = usePanelsWords().events;
  const { rows, fault, isBusy, retry } = list;
  if (fault !== undefined) return <ListFault fault={fault} limit={limit} onRetry={retry} />;
  return <BarList unit={words.count} rows={rows} isBusy={isBusy} limit={limit} {...others} />;
}
