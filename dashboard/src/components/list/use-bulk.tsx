import { Delete20Regular } from '@fluentui/react-icons/svg/delete';
import { Play20Regular } from '@fluentui/react-icons/svg/play';
import { Prohibited20Regular } from '@fluentui/react-icons/svg/prohibited';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../feedback/confirm.tsx';
import { useNotify } from '../feedback/notify.tsx';
import type { BulkAction } from './column.ts';

export interface BulkTexts {
  enable: string;
  disable: string;
  remove: string;
  /** Nothing is marked. */
  none: string;
  noneToRemove?: string;
  switched: (isOn: boolean, count: number) => string;
  removeTitle: (count: number) => string;
  removeText: string;
  /** Typed before they are removed. */
  word: string;
  removed: (count: number) => string;
}

interface BulkOptions<Row> {
  texts: BulkTexts;
  isOn: (row: Row) => boolean;
  /** Already off, and not by itself: switching it off changes nothing. */
  isOff: (row: Row) => boolean;
  switchAll: (ids: number[], isOn: boolean) => Promise<unknown>;
  removeAll: (ids: number[]) => Promise<number>;
}

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

/** What is done to all rows that are marked, all or none: switched with a way back, removed after a question. */
export function useBulk<Row extends { id: number }>(options: BulkOptions<Row>) {
  const { texts, isOn, isOff, switchAll, removeAll } = options;
  const { t } = useTranslation('shell');
  const notify = useNotify();
  const confirm = useConfirm();

  async function change(marked: Row[], wanted: boolean): Promise<void> {
    if (marked.length === 0) return notify.error(texts.none);
    const changed = marked.filter((row) => !(wanted ? isOn(row) : isOff(row)));
    if (changed.length === 0) return notify.warning(t('form.unchanged'));
    // What was off by itself does not come on again with the others.
    const back = idsOf(wanted ? changed : changed.filter(isOn));
    try {
      await switchAll(idsOf(changed), wanted);
      const text = texts.switched(wanted, changed.length);
      if (back.length === 0) notify.success(text);
      else notify.undo(text, () => void switchAll(back, !wanted).catch(notify.error));
    } catch (error) {
      notify.error(error);
    }
  }

  async function remove(marked: Row[]): Promise<void> {
    if (marked.length === 0) return notify.error(texts.noneToRemove ?? texts.none);
    const isSure = await confirm({
      title: texts.removeTitle(marked.length),
      text: texts.removeText,
      action: texts.remove,
      word: texts.word,
      isDangerous: true,
    });
    if (isSure) await removeAll(idsOf(marked)).then((count) => notify.success(texts.removed(count)), notify.error);
  }

  return {
    enable: {
      key: 'enable',
      label: texts.enable,
      icon: <Play20Regular />,
      onSelect: (rows) => void change(rows, true),
    },
    disable: {
      key: 'disable',
      label: texts.disable,
      icon: <Prohibited20Regular />,
      onSelect: (rows) => void change(rows, false),
    },
    remove: {
      key: 'remove',
      label: texts.remove,
      icon: <Delete20Regular />,
      onSelect: (rows) => void remove(rows),
    },
  } satisfies Record<string, BulkAction<Row>>;
}
