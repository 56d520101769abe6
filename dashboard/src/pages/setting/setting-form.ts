import i18next from 'i18next';
import { z } from 'zod';
import { jsonErrorPosition } from '../../../../core/lib/json-position.ts';
import { optionCards } from '../../../../core/schemas/option/card.ts';
import type { OptionFault } from '../../../../core/schemas/option/kind.ts';
import { definitionOf, type OptionDetail, type OptionKey, optionsOfCard } from '../../../../core/schemas/option.ts';
import { wordsIn } from '../../../../core/text/detail.ts';
import type { SchemaForm } from '../../components/form/use-schema-form.ts';
import { currentLanguage } from '../../i18n/language.ts';

export type SettingValue = string | number | boolean;
export type SettingValues = Record<string, SettingValue>;
/** Everything the page shows, in its order. */
export const shownOptions: OptionKey[] = optionCards.flatMap(optionsOfCard);

export type SettingForm = SchemaForm<SettingValues, SettingValues>;

/** A form takes a dot for a way into an object. */
export const fieldName = (key: OptionKey): string => key.replaceAll('.', ':');

/** The text of an option as its field contains it. */
export function fieldValue(key: OptionKey, text: string): SettingValue {
  const { kind } = definitionOf(key);
  if (kind === 'boolean') return text === 'true';
  if (kind === 'number') return Number(text);
  return kind === 'json' ? laidOut(text) : text;
}

function laidOut(text: string): string {
  return text.includes('\n') || text.trim() === '' || jsonErrorPosition(text)
    ? text
    : JSON.stringify(JSON.parse(text), undefined, 2);
}

export function settingValues(details: OptionDetail[]): SettingValues {
  const texts = new Map(details.map(({ key, value }) => [key, value]));
  return Object.fromEntries(shownOptions.map((key) => [fieldName(key), fieldValue(key, texts.get(key) ?? '')]));
}

/** Every option in one form, so that what was typed on one tab is still there after a look at another. */
export const settingSchema = z.object(
  Object.fromEntries(
    shownOptions.map((key) => [
      fieldName(key),
      z.custom<SettingValue>().superRefine((value, context) => {
        const problem = problemOf(key, String(value));
        if (problem) context.addIssue(problem);
      }),
    ]),
  ),
);

/** What the server would say, in words that stand under a field. */
function problemOf(key: OptionKey, text: string): string | undefined {
  const definition = definitionOf(key);
  const position = definition.kind === 'json' && text.trim() !== '' ? jsonErrorPosition(text) : undefined;
  if (position) return i18next.t(`setting:fault.${key === 'TopupGroupRatio' ? 'topUpJson' : 'json'}`, { ...position });
  const reading = definition.read(text);
  if (!('fault' in reading)) return undefined;
  // Its limits are in units, and most people type money.
  return definition.unit === 'quota' ? i18next.t('setting:fault.notMoney') : faultText(reading.fault);
}

function faultText({ code, ...details }: OptionFault): string {
  const form = 'form' in details ? details.form : '';
  const shown = { ...details, form: wordsIn(currentLanguage(), form) };
  return i18next.t(`setting:fault.${code}`, shown);
}

export function isChanged(form: SettingForm, key: OptionKey): boolean {
  const loaded: Record<string, unknown> = form.formState.defaultValues ?? {};
  return JSON.stringify(form.getValues(fieldName(key))) !== JSON.stringify(loaded[fieldName(key)]);
}
