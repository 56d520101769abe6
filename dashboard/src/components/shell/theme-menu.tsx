import { Button, Menu, MenuItemRadio, MenuList, MenuPopover, MenuTrigger, Tooltip } from '@fluentui/react-components';
import { DarkTheme20Regular } from '@fluentui/react-icons/svg/dark-theme';
import { useTranslation } from 'react-i18next';
import { themeMode, themeModes } from '../../state/preference.ts';

export function ThemeMenu() {
  const { t } = useTranslation('shell');
  const mode = themeMode.use();
  return (
    <Menu
      checkedValues={{ mode: [mode] }}
      onCheckedValueChange={(_event, { checkedItems }) => {
        const chosen = themeModes.find((one) => one === checkedItems[0]);
        if (chosen) themeMode.set(chosen);
      }}
    >
      <MenuTrigger disableButtonEnhancement>
        <Tooltip content={t('theme.label')} relationship="label">
          <Button appearance="subtle" icon={<DarkTheme20Regular />} />
        </Tooltip>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {themeModes.map((one) => (
            <MenuItemRadio key={one} name="mode" value={one}>
              {t(`theme.${one}`)}
            </MenuItemRadio>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
