import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { definitionOf, type OptionKey } from '../../../../core/schemas/option.ts';
import { fieldName, type SettingForm } from './setting-form.ts';
import { placePath, tabOfCard } from './use-section.ts';

/** Leads to the field of a setting, also when another tab has it. */
export function useFieldFocus(form: SettingForm): (key: OptionKey) => void {
  const navigate = useNavigate();
  const { key: visit } = useLocation();
  const wanted = useRef<OptionKey>(undefined);
  const focus = (key: OptionKey) => form.setFocus(fieldName(key));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the tab stands
  useEffect(() => {
    if (wanted.current) focus(wanted.current);
    wanted.current = undefined;
  }, [visit]);
  return (key) => {
    if (document.getElementsByName(fieldName(key)).length > 0) return focus(key);
    const { card } = definitionOf(key);
    wanted.current = key;
    void navigate(placePath({ tab: tabOfCard(card), section: card }));
  };
}
