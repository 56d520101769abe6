import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../core/errors/app-error.ts';
import { createMemoryBudget } from '../../../../core/relay/limit/memory-budget.ts';
import { CallMedia } from '../../../../core/relay/request/call-media.ts';

const unfetchable = (url: string) => new AppError('request.mediaUnfetchable', { url });

/** A call whose first picture waits for memory, while its second meets with a failure. */
async function failureOf(budgetBytes: number, taken: number): Promise<unknown> {
  const budget = createMemoryBudget(budgetBytes, 60_000);
  budget.open().take(taken);
  const media = new CallMedia({
    async fetchMedia(url, intake) {
      if (url === 'second') {
        // After the first has come to be in line.
        await new Promise(setImmediate);
        throw unfetchable(url);
      }
      await intake.begin(100);
      intake.take(100);
      return { mime: 'image/png', base64: '' };
    },
    maxBytes: 1000,
    room: budget.open(),
    allowance: { check: () => undefined, unpaid: () => undefined },
    userId: 1,
    client: { onGone: () => undefined },
  });
  return media.fetch(['first', 'second']).catch((error: unknown) => error);
}

describe('pictures of a call', () => {
  it('whose time runs out while the call waits for memory are reported as overload', async () => {
    expect(await failureOf(2000, 1950)).toMatchObject({ code: 'relay.overloaded', status: 503 });
  });

  it('that cannot be read are reported as such', async () => {
    expect(await failureOf(2000, 0)).toMatchObject({ code: 'request.mediaUnfetchable' });
  });
});
