import { type ComponentType, lazy, useState } from 'react';

/**
 * `lazy()` for what may have been fetched ahead: that is drawn at once. React itself would show the place of it first, and the thing
 * 300 ms later.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let ready: ComponentType<Props> | undefined;
  async function fetchPart(): Promise<ComponentType<Props>> {
    ready ??= await load();
    return ready;
  }
  const Waiting = lazy(async () => ({ default: await fetchPart() }));
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, when its file is read, as lazy() is
  function Part(props: Props) {
    // The same component for as long as the part is shown: another one in its place would lose its state.
    const [Shown] = useState<ComponentType<Props>>(() => ready ?? Waiting);
    return <Shown {...props} />;
  }
  return Object.assign(Part, { fetchPart });
}
