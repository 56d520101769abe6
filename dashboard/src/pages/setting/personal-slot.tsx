import { lazy, Suspense } from 'react';

const PersonalTab = lazy(() => import('./personal.tsx').then((file) => ({ default: file.PersonalTab })));

/** One's own account: the first tab of the settings, and for most people the only one. */
export function PersonalSlot() {
  return (
    <Suspense fallback={null}>
      <PersonalTab />
    </Suspense>
  );
}
