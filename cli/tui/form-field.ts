export interface FormField {
  /** As the schema names it. */
  name: string;
  label: string;
  /** What to write, shown while the field has the focus. */
  hint?: string | ((values: FormValues) => string);
  /** Shown as dots. */
  isSecret?: boolean;
  /** May contain line breaks, by pasting. */
  hasLines?: boolean;
  /** Names separated by commas; those that are pasted on lines of their own are, too. */
  isList?: boolean;
  /** What a change would leave as it is when it is emptied, while the form says that it was changed. */
  isNeeded?: boolean;
}

export type FormValues = Record<string, string>;
