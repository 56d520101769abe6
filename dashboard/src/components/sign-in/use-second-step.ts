import { useNavigate } from 'react-router-dom';
import type { User } from '../../../../core/schemas/user.ts';
import type { SignInResponse } from '../../api/session.ts';

/** True when a response signs the user in; else leads on to where a code is asked for, and from there to `next`. */
export function useSecondStep(): (response: SignInResponse, next: string) => response is User {
  const navigate = useNavigate();
  return (response, next): response is User => {
    if (!('require_2fa' in response)) return true;
    void navigate('/login/code', { replace: true, state: { from: next } });
    return false;
  };
}
