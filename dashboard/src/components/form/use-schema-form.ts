import { useEffect } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { z } from 'zod';
import { useFirstScreenIsOver } from '../../state/first-screen.ts';

export type SchemaForm<Input extends FieldValues, Output> = UseFormReturn<Input, unknown, Output>;

type Schema<Input, Output> = z.ZodType<Output, Input>;
/** Itself, or how it is fetched: the first page does not wait for it. */
type SchemaSource<Input, Output> = Schema<Input, Output> | (() => Promise<Schema<Input, Output>>);

/**
 * A form held to the schema the server checks with: looked at when a field is left, then at each change. `values` are what is loaded,
 * and give each field its start.
 */
export function useSchemaForm<Input extends FieldValues, Output extends FieldValues>(
  source: SchemaSource<Input, Output>,
  values: DefaultValues<Input>,
): SchemaForm<Input, Output> {
  useEarlyLoad(source);
  return useForm<Input, unknown, Output>({ resolver: resolverOf(source), defaultValues: values, mode: 'onTouched' });
}

function resolverOf<Input extends FieldValues, Output>(
  source: SchemaSource<Input, Output>,
): Resolver<Input, unknown, Output> {
  return async (...form) => {
    const check = await loadCheck(source).catch(() => undefined); // said where the form is, as every failed check
    return check ? check(...form) : { values: {}, errors: unchecked as unknown as FieldErrors<Input> };
  };
}

/** Names no field: the form could not be looked at, because what looks at it did not arrive. */
export const uncheckedKey = 'unchecked form';
const unchecked = { [uncheckedKey]: { type: 'load', message: 'shell:error.unreachable' } };

/** The checker is a tenth of what a first screen loads, and nothing is typed before that stands. */
async function loadCheck<Input extends FieldValues, Output>(source: SchemaSource<Input, Output>) {
  const loading = typeof source === 'function' ? source() : source;
  const [{ checkOf }, schema] = await Promise.all([import('./check-schema.ts'), loading]);
  return checkOf(schema);
}

/** So that the first field that is left is looked at without a wait. */
function useEarlyLoad<Input extends FieldValues, Output>(source: SchemaSource<Input, Output>): void {
  const isTime = useFirstScreenIsOver();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same files whichever schema of the form it is
  useEffect(() => {
    if (isTime) loadCheck(source).catch(() => {}); // tried again when the form is checked
  }, [isTime]);
}

/** What the user changed, in the form the schema gives it: nothing else is sent. */
export function changedValues<Input extends FieldValues, Output extends FieldValues>(
  form: SchemaForm<Input, Output>,
  output: Output,
): Partial<Output> {
  const loaded: Record<string, unknown> = form.formState.defaultValues ?? {};
  const current: Record<string, unknown> = form.getValues();
  const isChanged = (name: string) => JSON.stringify(current[name]) !== JSON.stringify(loaded[name]);
  return Object.fromEntries(Object.entries(output).filter(([name]) => isChanged(name))) as Partial<Output>;
}
