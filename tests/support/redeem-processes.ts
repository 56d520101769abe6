import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { compiledWorker } from './compiled-worker.ts';
import type { RedeemOrder } from './redeem-worker.ts';

/** How many of the codes each of several processes was given, all of them asking at the same moment. */
export async function redeemInProcesses(count: number, order: RedeemOrder): Promise<number[]> {
  const children = Array.from({ length: count }, (_, at) => {
    // Each begins at another end, so that neither is always first.
    const keys = at % 2 ? [...order.keys].reverse() : order.keys;
    const child = spawn(
      process.execPath,
      [compiledWorker('tests/support/redeem-worker'), JSON.stringify({ ...order, keys })],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  });
  const nextLine = async (lines: AsyncIterator<string>) => String((await lines.next()).value);
  await Promise.all(children.map(({ lines }) => nextLine(lines)));
  for (const { child } of children) child.stdin.write('go\n');
  return Promise.all(children.map(async ({ lines }) => Number(await nextLine(lines))));
}
