import { useState } from 'react';
import { channelTypeOf } from '../../../../core/schemas/channel-type.ts';
import { chatModelIn } from '../../../../core/schemas/chat-model.ts';
import { tokenCreateSchema } from '../../../../core/schemas/token.ts';
import { fetchModels, newestNamed, testChannel, useChannelActions, useModelLists } from '../../api/channel.ts';
import { refreshFirstSteps } from '../../api/get-started.ts';
import { useTokenActions } from '../../api/token.ts';
import { randomUuid } from '../../state/random-uuid.ts';

interface Target {
  type: number;
  key: string;
  base_url: string;
  other: string;
}

interface Failure {
  /** In words for the operator, from the server. */
  text: string;
  /** Which of the two steps goes on in spite of it. */
  at: 'models' | 'test';
}

/** Root's own balance is its limit. */
export const firstToken = { name: 'default', unlimited_quota: true };

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** From a key to a channel that has been tested: reads the models, makes the channel, tries it, and makes the first token. */
export function useFirstChannel({ type, hasToken }: { type: number; hasToken: boolean }) {
  const channels = useChannelActions();
  const tokens = useTokenActions();
  const common = useModelLists()[type] ?? [];
  const [offered, setOffered] = useState<string[]>();
  const [chosen, setChosen] = useState<string[]>([]);
  const [failure, setFailure] = useState<Failure>();

  function offer(models: string[]): void {
    setFailure(undefined);
    setOffered(models);
    setChosen(models);
  }

  async function connect(target: Target): Promise<void> {
    setFailure(undefined);
    await fetchModels({ ...target }).then(offer, (error: unknown) => {
      setFailure({ text: textOf(error), at: 'models' });
    });
  }

  /** A channel that does not work is not kept, unless the operator wants it. */
  async function save(target: Target, { isTested }: { isTested: boolean }): Promise<void> {
    setFailure(undefined);
    try {
      const name = channelTypeOf(type)?.name ?? String(type);
      const fields = { name, models: chosen.join(','), group: 'default' };
      // A browser may send a request again by itself; a channel that was removed because its test failed is made again.
      await channels.create({ ...target, ...fields, request_key: randomUuid() });
      const [channel] = await newestNamed(name, 1);
      if (isTested && channel && !(await isWorking(channel.id))) return;
      // Where this fails, the next step offers it.
      if (!hasToken) await tokens.create([tokenCreateSchema.parse(firstToken)]).catch(() => undefined);
      await refreshFirstSteps();
    } catch (error) {
      setFailure({ text: textOf(error), at: 'test' });
    }
  }

  async function isWorking(id: number): Promise<boolean> {
    try {
      await testChannel(id, chatModelIn(chosen));
      return true;
    } catch (error) {
      await channels.remove(id);
      setFailure({ text: textOf(error), at: 'test' });
      return false;
    }
  }

  return {
    /** Undefined until they have been read. */
    offered,
    chosen,
    setChosen,
    failure,
    /** Models that the vendor is known for, where its own list cannot be read. */
    common,
    useCommon: () => offer(common),
    connect,
    save,
  };
}
