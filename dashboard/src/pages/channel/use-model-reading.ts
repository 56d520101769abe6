import { useEffect, useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { channelTypeOf } from '../../../../core/schemas/channel-type.ts';
import { ApiError } from '../../api/api-error.ts';
import { fetchModels } from '../../api/channel.ts';
import { type ChannelForm, keysOf } from './channel-form.ts';

interface ModelReadingOptions {
  isNew: boolean;
  /** What is known of a type without a question. */
  presetsOf: (type: number) => string[];
}

const isSame = (one: string[], other: string[]) => one.join() === other.join();

/**
 * Reads the models of the provider that is being filled in. A key that the provider refuses is marked with its reason; models that the
 * operator has chosen stay.
 */
export function useModelReading({ isNew, presetsOf }: ModelReadingOptions) {
  const { getValues, setValue, setError, formState } = useFormContext<ChannelForm>();
  const { submitCount } = formState;
  const [isReading, setReading] = useState(false);
  const [count, setCount] = useState<number>();
  /** The last provider and key that were tried, so that nothing is asked twice. */
  const tried = useRef('');
  /** Models that stand in the form without having been chosen there. */
  const taken = useRef<string[]>([]);

  function take(models: string[]): boolean {
    const chosen = getValues('models');
    if (!isNew || !(chosen.length === 0 || isSame(chosen, taken.current))) return false;
    taken.current = models;
    setValue('models', models, { shouldDirty: true, shouldValidate: models.length > 0 });
    return true;
  }

  /** After another type was picked: its few models when they are always the same, otherwise none. */
  function startOver(type: number): void {
    setCount(undefined);
    take(channelTypeOf(type)?.hasFixedModels ? presetsOf(type) : []);
  }

  async function read(): Promise<void> {
    const target = targetOf(getValues());
    const mark = JSON.stringify(target);
    if (!target || mark === tried.current) return;
    tried.current = mark;
    setReading(true);
    setCount(undefined);
    const isCurrent = () => mark === JSON.stringify(targetOf(getValues()));
    try {
      const models = await fetchModels(target);
      if (isCurrent() && take(models)) setCount(models.length);
    } catch (error) {
      if (isCurrent()) explain(error, target.type);
    } finally {
      setReading(false);
    }
  }

  function explain(error: unknown, type: number): void {
    // The provider has no list: that is not about the key.
    if (error instanceof ApiError && error.status === 400) return void take(presetsOf(type));
    setError('key', { type: 'provider', message: error instanceof Error ? error.message : String(error) });
  }

  // A submit by the keyboard leaves no field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each submit
  useEffect(() => {
    if (submitCount > 0 && isNew && getValues('models').length === 0) void read();
  }, [submitCount]);

  return {
    isReading,
    /** Models that were read by themselves; undefined when none were. */
    count,
    read,
    startOver,
    /** The operator asks: not twice at once. */
    skip() {
      tried.current = JSON.stringify(targetOf(getValues()));
    },
  };
}

/** What is asked; undefined while something needed for it is missing, and for providers whose models are known. */
function targetOf(values: ChannelForm) {
  const { type, base_url, other, openai_organization, setting } = values;
  const [key = ''] = keysOf(values);
  const { needsBaseUrl, other: otherField, hasFixedModels } = channelTypeOf(type) ?? {};
  const isMissing = key.trim() === '' || (needsBaseUrl && !base_url) || (otherField?.isNeeded && !other);
  return isMissing || hasFixedModels ? undefined : { type, base_url, key, other, openai_organization, setting };
}
