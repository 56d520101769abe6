import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectBookedOnce } from '../../support/booked-calls.ts';
import { askedUsage, callOnce, emptyResult } from '../../support/call-load.ts';
import { createInstallation, type Installation } from '../../support/installation.ts';
import { engines } from '../../support/temporary-database.ts';
import { done, says, streamOf, uses } from '../relay/responses.ts';

const streams = 10;
const pieces = ['These ', 'words ', 'are '].map(says);
const broken = streamOf([...pieces, 'data: {"cho\n\n']);
/** Repeats what was said, and takes its time with the rest. */
const slow = streamOf([...pieces, says('the rest'), uses(5, 5), done], { delayMs: 2000 });

describe.each(engines)('a server on %s that is killed while another upstream goes on with its streams', (engine) => {
  let installation: Installation;

  beforeAll(async () => {
    installation = await createInstallation(engine);
  });
  afterAll(() => installation?.remove());

  it('F21, M5 gives back what was held, and nothing is booked for them or missing from the books', async () => {
    const server = await installation.start();
    const result = emptyResult();
    let asked = 0;
    installation.upstream.always(() => {
      asked += 1;
      return asked <= streams ? broken : slow;
    });
    const calls = Array.from({ length: streams }, () => callOnce(installation, result, true));
    await installation.upstream.waitForRequests(2 * streams);
    await wait(300);
    expect(await installation.count('quota_holds WHERE state = 0')).toBe(streams);
    server.signal('SIGKILL');
    await Promise.all(calls);
    await server.ended;
    // They saw a stream that broke off, and no end of one.
    expect(result.seen).toEqual([]);
    expect(result.failed.map(({ isPartial }) => isPartial)).toEqual(Array(streams).fill(true));

    installation.upstream.always(askedUsage(2));
    await installation.forgetTheDead();
    const next = await installation.start();
    await expect.poll(() => installation.count('quota_holds WHERE state = 0')).toBe(0);
    expect(await callOnce(installation, result, true)).toBeUndefined();
    next.signal('SIGTERM');
    expect((await next.ended).code).toBe(0);
    expect(await installation.count('logs WHERE type = 2')).toBe(1);
    await expectBookedOnce(installation, result);
  });
});
