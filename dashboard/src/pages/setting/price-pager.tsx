import { PageTurner } from '../../components/page-turner.tsx';

/** Without a choice (accounts spec, section 9). */
const pageSize = 10;

/** Ten of them; a page beyond the last one is the last one. */
export function pageOf<T>(rows: readonly T[], wantedPage: number) {
  const lastPage = Math.max(1, Math.ceil(rows.length / pageSize));
  const page = Math.min(wantedPage, lastPage);
  const first = (page - 1) * pageSize;
  return { shown: rows.slice(first, first + pageSize), page, total: rows.length };
}

interface PricePagerProps {
  at: ReturnType<typeof pageOf>;
  onPage: (page: number) => void;
}

export function PricePager({ at: { page, total }, onPage }: PricePagerProps) {
  return <PageTurner {...{ page, total, pageSize, onPage }} />;
}
