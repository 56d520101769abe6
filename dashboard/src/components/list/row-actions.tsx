import { lazy } from 'react';
import { Deferred } from '../deferred.tsx';
import type { RowActionsProps } from './row-menu.tsx';

const RowMenu = lazy(() => import('./row-menu.tsx').then((file) => ({ default: file.RowMenu })));

/** What can be done with a row; comes once the rows are there to be read. */
export function RowActions(props: RowActionsProps) {
  return (
    <Deferred>
      <RowMenu {...props} />
    </Deferred>
  );
}
