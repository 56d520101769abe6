import { Button, MessageBar, MessageBarActions, MessageBarBody, makeStyles, tokens } from '@fluentui/react-components';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ListedPrice, PriceOffer } from '../../../../core/schemas/price-sync.ts';
import { acceptOffers, priceOfferOptions } from '../../api/price-sync.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { useListedPrice } from '../../state/listed-price.ts';
import { isRoot, sessionUser } from '../../state/session.ts';
import { useSettled } from '../../state/use-settled.ts';

const useStyles = makeStyles({
  list: { margin: `${tokens.spacingVerticalXS} 0 0`, paddingLeft: tokens.spacingHorizontalL, overflowWrap: 'anywhere' },
});

interface UnpricedModelsProps {
  models: string[];
  /** As JSON text; one that is being typed maps nothing. */
  mapping: string;
}

const shown = 8;
const hasPrice = (offer: PriceOffer): offer is PriceOffer & { price: ListedPrice } => offer.price !== null;

/** Names the models that calls would be refused for because they have no price, and sets their list prices in one step. */
export function UnpricedModels({ models, mapping }: UnpricedModelsProps) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const notify = useNotify();
  const price = useListedPrice();
  const maySet = isRoot(sessionUser.use());
  const asked = useSettled(JSON.stringify([models, mappingOf(mapping)]));
  const [settledModels, settledMapping] = JSON.parse(asked) as [string[], Record<string, string>];
  const options = priceOfferOptions(settledModels, settledMapping);
  const { data } = useQuery({ ...options, placeholderData: keepPreviousData });
  const accept = useMutation({
    mutationFn: acceptOffers,
    onSuccess: ({ models: priced }) => notify.success(t('unpriced.done', { count: priced.length })),
    onError: (error) => notify.error(error),
  });
  const offers = (data ?? []).filter(({ model }) => models.includes(model));
  if (offers.length === 0) return null;
  const found = offers.filter(hasPrice);
  const asText = offers.filter(({ media_as_text }) => media_as_text).map(({ model }) => model);
  const lineOf = (offer: PriceOffer) =>
    hasPrice(offer)
      ? t(offer.listed_as === offer.model ? 'unpriced.listed' : 'unpriced.listedAs', {
          model: offer.model,
          price: price.short(offer.price),
          name: offer.listed_as,
        })
      : t('unpriced.unlisted', { model: offer.model });
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        {t('unpriced.title', { count: offers.length })}
        <ul className={styles.list}>
          {offers.slice(0, shown).map((offer) => (
            <li key={offer.model}>{lineOf(offer)}</li>
          ))}
          {offers.length > shown && <li>{t('unpriced.more', { count: offers.length - shown })}</li>}
        </ul>
        {asText.length > 0 && <div>{t('unpriced.mediaAsText', { models: asText.join(', ') })}</div>}
        {found.length > 0 && !maySet && t('unpriced.askRoot')}
      </MessageBarBody>
      {found.length > 0 && maySet && (
        <MessageBarActions>
          <Button disabledFocusable={accept.isPending} onClick={() => accept.mutate(found)}>
            {t('unpriced.accept', { count: found.length })}
          </Button>
        </MessageBarActions>
      )}
    </MessageBar>
  );
}

function mappingOf(text: string): Record<string, string> {
  try {
    const entries = Object.entries(JSON.parse(text || '{}') ?? {});
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {}; // said in the contract of `mapping`
  }
}
