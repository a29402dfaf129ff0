// Whether rows are shown in the words of the API; remembered in this browser.
import { useState } from 'react';

const STORED_AS = 'mxproof-api-words';

export function useApiWords(): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(stored);
  return [
    isOn,
    (isOn) => {
      setOn(isOn);
      try {
        if (isOn) localStorage.setItem(STORED_AS, '1');
        else localStorage.removeItem(STORED_AS);
      } catch {
        // Where storage is forbidden, the choice lasts as long as the page.
      }
    },
  ];
}

function stored(): boolean {
  try {
    return localStorage.getItem(STORED_AS) === '1';
  } catch {
    return false;
  }
}
