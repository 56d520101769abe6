import { useTranslation } from 'react-i18next';
import type { OptionKey } from '../../../core/schemas/option.ts';

/** Label and hint of a setting, as every part of the program says them. The page has loaded the texts `option`. */
export function useOptionText(): (key: OptionKey) => { label: string; hint: string } {
  const { t } = useTranslation('option');
  return (key) => ({ label: t(`option.${key}.label`), hint: t(`option.${key}.hint`) });
}
