import { createContext, useContext, useEffect, useState } from 'react';

type Labels = ReadonlyMap<string, string>;

const FieldLabelContext = createContext<(name: string, label: string) => void>(() => {});
export const FieldLabelProvider = FieldLabelContext.Provider;

/** What the fields of a form are called, by name: each says so itself, and the form's summary names them. */
export function useFieldLabels(): { labels: Labels; setLabel: (name: string, label: string) => void } {
  const [labels, setLabels] = useState<Labels>(new Map());
  const [setLabel] = useState(() => (name: string, label: string) => {
    setLabels((all) => (all.get(name) === label ? all : new Map(all).set(name, label)));
  });
  return { labels, setLabel };
}

export function useFieldLabel(name: string, label: string | undefined): void {
  const setLabel = useContext(FieldLabelContext);
  useEffect(() => {
    if (label) setLabel(name, label);
  }, [name, label, setLabel]);
}
