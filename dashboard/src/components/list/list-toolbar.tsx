import {
  Button,
  Menu,
  MenuItemCheckbox,
  MenuList,
  MenuPopover,
  MenuTrigger,
  makeStyles,
  Text,
  Tooltip,
  tokens,
} from '@fluentui/react-components';
import { ArrowClockwise20Regular } from '@fluentui/react-icons/svg/arrow-clockwise';
import { ColumnTriple20Regular } from '@fluentui/react-icons/svg/column-triple';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { BulkAction, Column } from './column.ts';
import type { List } from './use-list.ts';

interface ListToolbarProps<Row, Filters extends Record<string, string>> {
  list: List<Row, Filters>;
  filters: ReactNode;
  bulkActions: BulkAction<Row>[];
  markedRows: Row[];
  columns: Column<Row>[];
  choice: string[];
  onChoice: (keys: string[]) => void;
  hasColumns: boolean;
}

const useStyles = makeStyles({
  toolbar: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    padding: tokens.spacingHorizontalM,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  filters: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, flex: '1 1 auto' },
  tools: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalXS, marginLeft: 'auto' },
  marked: { color: tokens.colorNeutralForeground3, whiteSpace: 'nowrap' },
});

export function ListToolbar<Row, Filters extends Record<string, string>>(props: ListToolbarProps<Row, Filters>) {
  const { list, filters, bulkActions, markedRows, columns, choice, onChoice, hasColumns } = props;
  const { t } = useTranslation('shell');
  const styles = useStyles();
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={t('list.tools')}>
      <div className={styles.filters}>{filters}</div>
      <div className={styles.tools}>
        {markedRows.length > 0 && (
          <Text size={200} className={styles.marked} role="status">
            {t('list.marked', { count: markedRows.length })}
          </Text>
        )}
        {bulkActions.map(({ key, label, icon, onSelect }) => (
          <Tooltip key={key} content={label} relationship="label">
            <Button appearance="subtle" icon={icon} onClick={() => onSelect(markedRows)} />
          </Tooltip>
        ))}
        {hasColumns && (
          <Menu
            checkedValues={{ columns: choice }}
            onCheckedValueChange={(_event, { checkedItems }) => {
              if (checkedItems.length > 0)
                onChoice(columns.map(({ key }) => key).filter((key) => checkedItems.includes(key)));
            }}
          >
            <MenuTrigger disableButtonEnhancement>
              <Tooltip content={t('list.columns')} relationship="label">
                <Button appearance="subtle" icon={<ColumnTriple20Regular />} />
              </Tooltip>
            </MenuTrigger>
            <MenuPopover>
              <MenuList>
                {columns.map(({ key, title }) => (
                  <MenuItemCheckbox key={key} name="columns" value={key}>
                    {title}
                  </MenuItemCheckbox>
                ))}
              </MenuList>
            </MenuPopover>
          </Menu>
        )}
        <Tooltip content={t('action.refresh')} relationship="label">
          <Button appearance="subtle" icon={<ArrowClockwise20Regular />} onClick={list.refresh} />
        </Tooltip>
      </div>
    </div>
  );
}
