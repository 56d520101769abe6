import { BotSparkle20Regular } from '@fluentui/react-icons/svg/bot-sparkle';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { Tag20Regular } from '@fluentui/react-icons/svg/tag';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { ButtonLink } from '../../components/button-link.tsx';
import { useCopy } from '../../components/feedback/copy.tsx';
import type { RowAction } from '../../components/list/column.ts';
import { SelectFilter } from '../../components/list/filter.tsx';
import { ListPage } from '../../components/list/list-page.tsx';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { createStoredValue } from '../../state/stored-value.ts';
import { type Unit, units } from './price.ts';
import { GroupChoice, UnitChoice } from './price-filter.tsx';
import { usePriceColumns } from './use-price-columns.tsx';
import { type PriceLine, usePriceList } from './use-price-list.ts';

const storedUnit = createStoredValue<Unit>('price-unit', (stored) => units.find((unit) => unit === stored) ?? '1M');

/** What each model costs in each group; a public page. */
export function PricingPage() {
  const { t } = useTranslation('pricing');
  const { list, groups, group } = usePriceList();
  const unit = storedUnit.use();
  const { columns, card, rowDetail } = usePriceColumns({ groups, group, unit });
  const rowActions = useRowActions();
  const kinds = [
    { value: '', text: t('kind.all') },
    { value: '0', text: t('kind.token') },
    { value: '1', text: t('kind.call') },
  ];
  return (
    <ListPage
      title={t('title')}
      purpose={t('purpose')}
      sections={['price']}
      notice={
        <GroupChoice
          {...{ groups, group }}
          chosen={list.filters.group}
          onChoose={(name) => list.setFilters({ group: name })}
        />
      }
      list={list}
      columns={columns}
      card={card}
      rowName={nameOf}
      rowActions={rowActions}
      rowDetail={rowDetail}
      filters={
        <>
          <SearchFilter list={list} name="keyword" label={t('search')} />
          <SelectFilter list={list} name="kind" label={t('field.kind')} choices={kinds} />
          <UnitChoice unit={unit} onChoose={storedUnit.set} />
        </>
      }
      empty={{ icon: <Tag20Regular />, text: t('empty'), action: <AddChannel /> }}
    />
  );
}

/** For those who can: what is missing where nothing is served. */
function AddChannel() {
  const { t } = useTranslation('pricing');
  return (
    isAdmin(sessionUser.use()) && (
      <ButtonLink to="/channel/add" appearance="primary">
        {t('addChannel')}
      </ButtonLink>
    )
  );
}

const nameOf = (row: PriceLine) => row.model_name;

function useRowActions(): (row: PriceLine) => RowAction[] {
  const { t } = useTranslation('pricing');
  const copy = useCopy();
  const navigate = useNavigate();
  const user = sessionUser.use();
  return ({ model_name: name }) => [
    {
      key: 'copy',
      label: t('copy'),
      icon: <Copy20Regular />,
      isFrequent: true,
      onSelect: () => void copy(name, t('copied', { name })),
    },
    ...(user
      ? [
          {
            key: 'try',
            label: t('try'),
            icon: <BotSparkle20Regular />,
            onSelect: () => void navigate(`/playground?model=${encodeURIComponent(name)}`),
          },
        ]
      : []),
  ];
}
