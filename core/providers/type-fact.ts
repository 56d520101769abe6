import { channelTypeOf } from '../schemas/channel-type.ts';

export interface TypeFacts {
  name: string;
  label: string;
  /** '' when the operator must give one, or the key tells it. */
  defaultBaseUrl: string;
}

/** What the list of channel types says of one: it is there and nowhere else. */
export function typeFacts(type: number): TypeFacts {
  const known = channelTypeOf(type);
  if (!known) throw new Error(`channel type ${type} is not in the list`);
  const { name, label, defaultBaseUrl } = known;
  return { name, label, defaultBaseUrl };
}
