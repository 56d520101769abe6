import type { AppError, Language } from '../../errors/app-error.ts';
import type { ListedPrice, PriceDiffRow } from '../../schemas/price-sync.ts';
import { textIn } from '../../text/text.ts';
import { inBothLanguages } from '../notice/notice.ts';
import { createRootNotice, type RootNoticeDependencies } from '../notice/root-notice.ts';

/** Of each kind; the page has them all. */
const shownRows = 20;

interface SyncReport {
  applied: readonly PriceDiffRow[];
  /** Those that root has to decide about. */
  held: readonly PriceDiffRow[];
}

/** Tells root what a scheduled sync changed, and what it left alone. */
export function createSyncNotice(dependencies: RootNoticeDependencies) {
  const { tell, close } = createRootNotice(dependencies);
  return {
    close,
    synced(source: string, { applied, held }: SyncReport): void {
      if (applied.length + held.length === 0) return;
      const counts = { source, applied: applied.length, held: held.length };
      tell(
        {
          kind: 'price_sync',
          title: inBothLanguages((language) => textIn(language, 'notice', 'priceSync.title', counts)),
          lines: inBothLanguages((language) => [
            ...section(language, 'priceSync.applied', applied),
            ...section(language, 'priceSync.held', held),
            ...(held.length > 0 ? [textIn(language, 'notice', 'priceSync.where')] : []),
          ]),
        },
        0,
      );
    },
    failed(source: string, error: AppError): void {
      tell(
        {
          kind: 'price_sync',
          title: inBothLanguages((language) => textIn(language, 'notice', 'priceSync.failedTitle', { source })),
          lines: inBothLanguages((language) => [error.text(language)]),
        },
        0,
      );
    },
  };
}

export type SyncNotice = ReturnType<typeof createSyncNotice>;

function section(
  language: Language,
  key: 'priceSync.applied' | 'priceSync.held',
  rows: readonly PriceDiffRow[],
): string[] {
  if (rows.length === 0) return [];
  const lines = rows.slice(0, shownRows).map((row) => lineOf(language, row));
  const more = rows.length - lines.length;
  return [
    textIn(language, 'notice', key, { count: rows.length }),
    ...lines,
    ...(more > 0 ? [textIn(language, 'notice', 'priceSync.more', { count: more })] : []),
  ];
}

function lineOf(language: Language, { model, old, next, held }: PriceDiffRow): string {
  const unpriced = textIn(language, 'notice', 'priceSync.unpriced');
  const change = `${old ? priceText(old) : unpriced} → ${priceText(next)}`;
  const reason = held ? ` (${textIn(language, 'notice', `priceSync.reason.${held}`)})` : '';
  return `${model}: ${change}${reason}`;
}

/** `$2.5 / $10`: input and output per million tokens, or one call. */
const priceText = ({ input, output, call }: ListedPrice) =>
  call === undefined ? [input, output].map((figure) => `$${figure ?? '?'}`).join(' / ') : `$${call}`;
