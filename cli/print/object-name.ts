import type { App } from '../../core/app.ts';
import { systemActor } from '../../core/schemas/actor.ts';

/** The name of an object by its id; `#7` where it is gone, and nothing for 0, which stands for none. */
export type NameOf = (id: number) => string;

/** Of the users of a page, read at once. */
export async function userNames({ services }: App, ids: readonly number[]): Promise<NameOf> {
  return nameIn(await services.objectNames.ofUsers(systemActor, ids));
}

/** Of the channels of a page, read at once. */
export async function channelNames({ services }: App, ids: readonly number[]): Promise<NameOf> {
  return nameIn(await services.objectNames.ofChannels(systemActor, ids));
}

const nameIn =
  (names: ReadonlyMap<number, string>): NameOf =>
  (id) =>
    names.get(id) ?? (id > 0 ? `#${id}` : '');
