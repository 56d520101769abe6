import { Deferred } from '../deferred.tsx';
import { lazyPart } from '../lazy-part.tsx';
import type { RowActionsProps } from './row-menu.tsx';

const RowMenu = lazyPart(async () => (await import('./row-menu.tsx')).RowMenu);

/** What can be done with a row; comes once the rows are there to be read. */
export function RowActions(props: RowActionsProps) {
  return (
    <Deferred>
      <RowMenu {...props} />
    </Deferred>
  );
}
