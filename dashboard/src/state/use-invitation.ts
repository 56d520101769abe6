import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { invitationCode } from './preference.ts';

/** A link with `?aff=CODE` leaves the code here until an account is opened. */
export function useInvitation(): void {
  const [search] = useSearchParams();
  const code = search.get('aff');
  useEffect(() => {
    if (code) invitationCode.set(code);
  }, [code]);
}
