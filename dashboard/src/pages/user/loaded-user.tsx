import { type ReactNode, useEffect } from 'react';
import type { User } from '../../../../core/schemas/user.ts';
import { useUser } from '../../api/user.ts';
import { useNotify } from '../../components/feedback/notify.tsx';

interface LoadedUserProps {
  id: number;
  onClose: () => void;
  children: (user: User) => ReactNode;
}

/** A form of another user's account starts from what is stored at this moment. */
export function LoadedUser({ id, onClose, children }: LoadedUserProps) {
  const notify = useNotify();
  const { data: user, error } = useUser(id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each failure
  useEffect(() => {
    // Read again in vain, as after the session has ended, the form stands with what was typed.
    if (!error || user) return;
    notify.error(error);
    onClose();
  }, [error]);
  return user ? children(user) : null;
}
