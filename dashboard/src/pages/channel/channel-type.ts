import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { channelTypeOf } from '../../../../core/schemas/channel-type.ts';

/** What a type is called where people read: vendors with a name of their own in Chinese have it. */
export function useTypeName(): (type: number) => string {
  const { t } = useTranslation('channel');
  return useCallback((type) => t(`type.${type}`, { defaultValue: channelTypeOf(type)?.label ?? String(type) }), [t]);
}
