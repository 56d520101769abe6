import { SelectFilter } from '../list/filter.tsx';
import type { Filtered } from '../list/filtered.ts';

interface ChoiceFilterProps<Value extends string> {
  list: Filtered;
  name: string;
  label: string;
  /** The words for no choice. */
  all: string;
  values: readonly Value[];
  textOf: (value: Value) => string;
}

/** One of the values that a column can have, or all of them. */
export function ChoiceFilter<Value extends string>(props: ChoiceFilterProps<Value>) {
  const { list, name, label, all, values, textOf } = props;
  const choices = [{ value: '', text: all }, ...values.map((value) => ({ value, text: textOf(value) }))];
  return <SelectFilter list={list} name={name} label={label} choices={choices} />;
}
