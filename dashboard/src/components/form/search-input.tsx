import { SearchBox, type SearchBoxProps } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';

/** A field to search with, whose button that empties it has a name in the language of the page. */
export function SearchInput(props: SearchBoxProps) {
  const { t } = useTranslation('shell');
  return <SearchBox {...props} dismiss={{ 'aria-label': t('action.empty') }} />;
}
