import {
  Button,
  Menu,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
  makeStyles,
  Tooltip,
  tokens,
} from '@fluentui/react-components';
import { MoreHorizontal20Regular } from '@fluentui/react-icons/svg/more-horizontal';
import { useTranslation } from 'react-i18next';
import type { RowAction } from './column.ts';

const useStyles = makeStyles({
  actions: { display: 'flex', justifyContent: 'flex-end' },
  danger: { color: tokens.colorStatusDangerForeground1 },
});

export interface RowActionsProps {
  name: string;
  actions: RowAction[];
  hasMenuOnly?: boolean;
}

/** The commonest two beside the row, all of them in its menu. */
export function RowMenu({ name, actions, hasMenuOnly = false }: RowActionsProps) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const beside = hasMenuOnly ? [] : actions.filter(({ isFrequent }) => isFrequent).slice(0, 2);
  if (actions.length === 0) return null;
  return (
    <div className={styles.actions}>
      {beside.map(({ key, label, icon, onSelect, isDisabled }) => (
        <Tooltip key={key} content={label} relationship="label">
          <Button appearance="subtle" icon={icon} disabledFocusable={isDisabled} onClick={onSelect} />
        </Tooltip>
      ))}
      <Menu>
        <MenuTrigger disableButtonEnhancement>
          <Button appearance="subtle" icon={<MoreHorizontal20Regular />} aria-label={t('list.more', { name })} />
        </MenuTrigger>
        <MenuPopover>
          <MenuList>
            {actions.map(({ key, label, icon, onSelect, isDisabled, isDangerous }) => (
              <MenuItem
                key={key}
                icon={icon}
                disabled={isDisabled}
                onClick={onSelect}
                className={isDangerous ? styles.danger : undefined}
              >
                {label}
              </MenuItem>
            ))}
          </MenuList>
        </MenuPopover>
      </Menu>
    </div>
  );
}
