import { useTranslation } from 'react-i18next';
import type { OptionCard } from '../../../core/schemas/option/card.ts';
import { isRoot, sessionUser } from '../state/session.ts';
import { TextLink } from './text-link.tsx';

/** Leads to the settings that decide what stands here; nothing for those who may not change them. */
export function SettingLink({ section }: { section: OptionCard }) {
  const { t } = useTranslation('shell');
  if (!isRoot(sessionUser.use())) return null;
  return <TextLink to={`/setting?section=${section}`}>{t(`settingLink.${section}`)}</TextLink>;
}
