// A share of a whole as people read it in English, as exact as it is known: two digits that count.

/** `5`, `0.25`, `12`: in percent, without the sign. */
export function shareText(share: number): string {
  const percent = share * 100;
  return percent >= 10 ? String(Math.round(percent)) : String(Number(percent.toPrecision(2)));
}

/** `5 %` */
export function percentText(share: number): string {
  return `${shareText(share)} %`;
}
