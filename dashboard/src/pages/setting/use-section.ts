import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import {
  type OptionCard,
  type OptionTab,
  optionCards,
  optionTabKeys,
  optionTabs,
} from '../../../../core/schemas/option/card.ts';

/** A tab of the settings, and perhaps one card of it. */
export interface SettingPlace {
  /** The own account when left out. */
  tab?: OptionTab | undefined;
  section?: OptionCard | undefined;
}

/** The address of a place, to be linked from anywhere. */
export const placePath = ({ tab, section }: SettingPlace): string =>
  `/setting?tab=${tab ?? 'personal'}${section ? `&section=${section}` : ''}`;

export const sectionId = (card: OptionCard): string => `section-${card}`;

/** Groups and prices are on two tabs; their own one comes last. */
export const tabOfCard = (card: OptionCard): OptionTab | undefined =>
  optionTabKeys.findLast((tab) => cardsOf(tab).includes(card));

const cardsOf = (tab: OptionTab): readonly OptionCard[] => optionTabs[tab];

/** Which place the address names; a card is enough. */
export function usePlace(): SettingPlace {
  const [query] = useSearchParams();
  const section = optionCards.find((card) => card === query.get('section'));
  const named = optionTabKeys.find((tab) => tab === query.get('tab'));
  if (!section) return { tab: named };
  if (named && cardsOf(named).includes(section)) return { tab: named, section };
  return { tab: tabOfCard(section), section };
}

/** Brings the card of the address into view, and says which one is being read. */
export function useSectionInView({ tab, section }: SettingPlace, isSearching: boolean): OptionCard | undefined {
  const { key } = useLocation();
  const [read, setRead] = useState<OptionCard>();
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link pressed again goes there again
  useEffect(() => {
    const target = section && document.getElementById(sectionId(section));
    if (target) target.scrollIntoView({ block: 'start' });
    else if (!isFirst.current) document.getElementById('content')?.scrollIntoView({ block: 'start' });
    isFirst.current = false;
    setRead(section);
  }, [key, tab, section]);
  useEffect(() => {
    if (!tab || isSearching) return;
    const cards = cardsOf(tab);
    const inView = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inView.add(target.id);
          else inView.delete(target.id);
        }
        const first = cards.find((card) => inView.has(sectionId(card)));
        if (first) setRead(first);
      },
      { rootMargin: '-96px 0px -55% 0px' },
    );
    for (const card of cards) {
      const element = document.getElementById(sectionId(card));
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [tab, isSearching]);
  return read;
}
