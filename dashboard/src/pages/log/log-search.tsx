import { makeStyles } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { channelIdOf } from '../../api/search.ts';
import { isEntered } from '../../components/form/entered.ts';
import { SearchInput } from '../../components/form/search-input.tsx';
import type { Filtered } from '../../components/list/filtered.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { readWords } from './search-words.ts';

const useStyles = makeStyles({
  search: {
    flex: '1 1 320px',
    maxWidth: '520px',
    '@media (max-width: 600px)': { flex: '1 1 100%', maxWidth: '100%' },
  },
});

/** A request ID, or words such as `user:alice model:gpt-4o`, which become filters with Enter. */
export function LogSearch({ list }: { list: Filtered }) {
  const { t } = useTranslation('log');
  const styles = useStyles();
  const inForce = list.filters.request_id ?? '';
  const [typed, setTyped] = useState(inForce);
  useEffect(() => setTyped(inForce), [inForce]);

  async function search(text: string): Promise<void> {
    const { channel, ...words } = readWords(text);
    if (Object.keys(words).length === 0 && channel === undefined) {
      if (text.trim() !== inForce) list.setFilters({ request_id: text.trim() });
      return;
    }
    // A name that no channel has finds nothing, like its ID would.
    setTyped(words.request_id ?? '');
    list.setFilters(channel === undefined ? words : { ...words, channel: await channelIdOf(channel) });
  }

  return (
    <SearchInput
      className={styles.search}
      aria-label={t('filter.search')}
      placeholder={t(isAdmin(sessionUser.use()) ? 'filter.searchAdmin' : 'filter.search')}
      value={typed}
      maxLength={300}
      onChange={(_event, { value }) => {
        setTyped(value);
        if (value === '') list.setFilters({ request_id: '' });
      }}
      onKeyDown={(event) => {
        if (isEntered(event)) void search(typed);
      }}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text').trim();
        // Nothing but a request ID looks like this.
        if (typed === '' && /^[\w-]{12,64}$/.test(pasted)) list.setFilters({ request_id: pasted });
      }}
    />
  );
}
