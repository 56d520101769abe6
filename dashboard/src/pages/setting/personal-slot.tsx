import { type ComponentType, lazy, Suspense } from 'react';

const files = import.meta.glob<{ PersonalTab: ComponentType }>('./personal.tsx');
const Personal = lazy(async () => ({ default: (await files['./personal.tsx']?.())?.PersonalTab ?? (() => null) }));

/** One's own account: the first tab of the settings, and for most people the only one. */
export function PersonalSlot() {
  return (
    <Suspense fallback={null}>
      <Personal />
    </Suspense>
  );
}
