import type { Stray } from '../../billing/ledger-store.ts';
import { textIn } from '../../text/text.ts';
import { inBothLanguages } from '../notice/notice.ts';
import { createRootNotice, type RootNoticeDependencies } from '../notice/root-notice.ts';

/** Tells root of settlements whose hold was gone: the database is an older copy of itself, and more may be missing. */
export function createLedgerNotice(dependencies: RootNoticeDependencies) {
  const { tell, close } = createRootNotice(dependencies);
  return {
    close,
    strayed(strays: readonly Stray[]): void {
      const parked = strays.filter(({ state }) => state === 'parked').length;
      const counts = { booked: strays.length - parked, parked };
      tell(
        {
          kind: 'ledger_stray',
          title: inBothLanguages((language) => textIn(language, 'notice', 'ledger.strayTitle')),
          lines: inBothLanguages((language) => [
            textIn(language, 'notice', 'ledger.strayCount', counts),
            textIn(language, 'notice', 'ledger.strayCause'),
          ]),
        },
        0,
      );
    },
  };
}
