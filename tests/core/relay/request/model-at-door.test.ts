import { expect, it } from 'vitest';
import type { RelayBody } from '../../../../core/relay/call.ts';
import { modelAtDoor } from '../../../../core/relay/request/model-at-door.ts';

it('keeps the refusal of a limit back for no body that is kept back, and throws one away that comes later', async () => {
  let send: (body: RelayBody) => void = () => undefined;
  const reading = new Promise<RelayBody>((resolve) => {
    send = resolve;
  });
  const call = {
    caller: { group: 'default' } as never,
    pathModel: undefined,
    clientHeaders: { 'content-length': '100' },
    readBody: () => reading,
  };
  const routing = { tiers: () => [[]] as never };
  expect(await modelAtDoor(call, { routing, wait: (work) => work, modelOf: () => 'gpt-4o' })).toBe('');
  const disposed = new Promise<void>((resolve) => {
    send({ dispose: async () => resolve() } as RelayBody);
  });
  await disposed;
  expect(await modelAtDoor(call, { routing, wait: (work) => work, modelOf: () => 'gpt-4o' })).toBe('gpt-4o');
});
