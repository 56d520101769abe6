import { Button, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger, Tooltip } from '@fluentui/react-components';
import { MoreHorizontal20Regular } from '@fluentui/react-icons/svg/more-horizontal';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useTopLinks } from './top-link.ts';

/** The links of the header, where they have no room beside the name of the site. */
export function LinkMenu() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const topLinks = useTopLinks();
  return (
    <Menu>
      <MenuTrigger disableButtonEnhancement>
        <Tooltip content={t('navigation.top')} relationship="label">
          <Button appearance="subtle" icon={<MoreHorizontal20Regular />} />
        </Tooltip>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {topLinks.map(({ path, key }) => (
            <MenuItem key={path} onClick={() => navigate(path)}>
              {t(`navigation.${key}`)}
            </MenuItem>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
