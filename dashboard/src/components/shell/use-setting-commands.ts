import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { optionTabKeys, optionTabs } from '../../../../core/schemas/option/card.ts';
import { optionsOfCard } from '../../../../core/schemas/option.ts';
import { isRoot, sessionUser } from '../../state/session.ts';
import type { Command } from './command.ts';

/** The settings, which only root changes, by name and key. */
export function useSettingCommands(): Command[] {
  const { t } = useTranslation('option');
  const navigate = useNavigate();
  if (!isRoot(sessionUser.use())) return [];
  return optionTabKeys.flatMap((tab) =>
    optionTabs[tab].flatMap((card) =>
      optionsOfCard(card).map((key) => ({
        group: 'setting' as const,
        key: `${tab} ${key}`,
        name: t(`option.${key}.label`),
        detail: t(`card.${card}.title`),
        run: () => void navigate(`/setting?tab=${tab}&q=${encodeURIComponent(key)}`),
      })),
    ),
  );
}
