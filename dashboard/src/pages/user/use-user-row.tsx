import { ArrowDown20Regular } from '@fluentui/react-icons/svg/arrow-down';
import { ArrowUp20Regular } from '@fluentui/react-icons/svg/arrow-up';
import { Edit20Regular } from '@fluentui/react-icons/svg/edit';
import { PersonDelete20Regular } from '@fluentui/react-icons/svg/person-delete';
import { Play20Regular } from '@fluentui/react-icons/svg/play';
import { Prohibited20Regular } from '@fluentui/react-icons/svg/prohibited';
import { ShieldKeyhole20Regular } from '@fluentui/react-icons/svg/shield-keyhole';
import { WalletCreditCard20Regular } from '@fluentui/react-icons/svg/wallet-credit-card';
import { useTranslation } from 'react-i18next';
import { role } from '../../../../core/schemas/actor.ts';
import { type User, type UserManage, userStatus } from '../../../../core/schemas/user.ts';
import { useUserActions } from '../../api/user.ts';
import { type Question, useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import type { RowAction } from '../../components/list/column.ts';
import { isRoot, sessionUser } from '../../state/session.ts';
import { isGone } from './user-cell.tsx';

/** A status whose accounts cannot be enabled again (accounts spec, section 4). */
const lockedStatus = 3;

const opposites = { enable: 'disable', disable: 'enable', demote: 'promote' } as const;

interface UserRowOptions {
  onEdit: (user: User) => void;
  onCredit: (user: User) => void;
}

/** What the signed-in user may do with an account; what the server would refuse is not offered. */
export function useUserRow({ onEdit, onCredit }: UserRowOptions) {
  const { t } = useTranslation('user');
  const notify = useNotify();
  const confirm = useConfirm();
  const { manage, removeSecondStep } = useUserActions();
  const me = sessionUser.use();

  /** At once, with a way back. */
  async function change({ id, username: name }: User, action: keyof typeof opposites): Promise<void> {
    try {
      await manage({ id, action });
      notify.undo(t(`did.${action}`, { name }), () => {
        manage({ id, action: opposites[action] }).catch(notify.error);
      });
    } catch (error) {
      notify.error(error);
    }
  }

  /** Only after a question: it opens doors, or cannot be taken back. */
  async function changeAfter({ id, username: name }: User, action: UserManage['action'], question: Question) {
    if (!(await confirm(question))) return;
    await manage({ id, action }).then(() => notify.success(t(`did.${action}`, { name })), notify.error);
  }

  const promote = (user: User) =>
    changeAfter(user, 'promote', {
      title: t('promote.title', { name: user.username }),
      text: t('promote.text'),
      action: t('action.promote'),
    });

  const deactivate = (user: User) =>
    changeAfter(user, 'delete', {
      title: t('deactivate.title', { name: user.username }),
      text: t('deactivate.text'),
      action: t('deactivate.title', { name: user.username }),
      isDangerous: true,
    });

  async function dropSecondStep({ id, username: name }: User): Promise<void> {
    const title = t('secondStep.title', { name });
    if (!(await confirm({ title, text: t('secondStep.text'), action: t('secondStep.action'), isDangerous: true })))
      return;
    await removeSecondStep(id).then(() => notify.success(t('secondStep.done', { name })), notify.error);
  }

  const entry = (key: string, icon: RowAction['icon'], onSelect: () => void): RowAction => ({
    key,
    icon,
    onSelect,
    label: t(`action.${key}`),
  });

  return function actionsOf(user: User): RowAction[] {
    const mayAct = me !== undefined && (isRoot(me) || user.role < me.role);
    if (isGone(user) || !mayAct) return [];
    const edit = { ...entry('edit', <Edit20Regular />, () => onEdit(user)), isFrequent: true };
    const credit = entry('credit', <WalletCreditCard20Regular />, () => onCredit(user));
    // The super admin cannot be restricted.
    if (user.role >= role.root) return [edit, credit];
    const isOn = user.status === userStatus.enabled;
    const isAdmin = user.role >= role.admin;
    const toggle = isOn
      ? entry('disable', <Prohibited20Regular />, () => void change(user, 'disable'))
      : entry('enable', <Play20Regular />, () => void change(user, 'enable'));
    return [
      edit,
      { ...toggle, isFrequent: true, isDisabled: user.status === lockedStatus },
      credit,
      ...(isRoot(me) && !isAdmin ? [entry('promote', <ArrowUp20Regular />, () => void promote(user))] : []),
      ...(isAdmin ? [entry('demote', <ArrowDown20Regular />, () => void change(user, 'demote'))] : []),
      entry('secondStep', <ShieldKeyhole20Regular />, () => void dropSecondStep(user)),
      { ...entry('delete', <PersonDelete20Regular />, () => void deactivate(user)), isDangerous: true },
    ];
  };
}
