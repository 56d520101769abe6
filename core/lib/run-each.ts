/**
 * Runs the named steps one after the other, each whatever became of those before it. Throws at the end when some failed, with the names
 * of these and why.
 */
export async function runEach(
  steps: Readonly<Record<string, () => Promise<unknown>>>,
  signal: AbortSignal,
): Promise<void> {
  const failures: { name: string; error: unknown }[] = [];
  for (const [name, step] of Object.entries(steps)) {
    if (signal.aborted) break;
    try {
      await step();
    } catch (error) {
      failures.push({ name, error });
    }
  }
  const [first] = failures;
  if (!first) return;
  const reasons = failures.map(
    ({ name, error }) => `${name}: ${error instanceof Error ? error.message : String(error)}`,
  );
  throw new Error(reasons.join('; '), { cause: first.error });
}
