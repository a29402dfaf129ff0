// English, of what costs credits: loaded with lists, or with the first question.
import { formatCount } from '../design/format.ts';
import { some } from './en.ts';

const credits = (count: number) => some(count, 'credit', 'credits');

export const chargeQuestion = {
  costs: (price: number) => `This costs ${credits(price)}.`,
  costsOf: (price: number, balance: number) =>
    `This costs ${formatCount(price)} of your ${credits(balance)} and leaves ${formatCount(balance - price)}.`,
  refunds: 'Addresses without a clear answer are refunded.',
  agree: (price: number) => `Check for ${credits(price)}`,
};

/** Of a list's page. */
export const listCharges = {
  restQuestion: (count: number) => `Check the other ${some(count, 'address', 'addresses')}?`,
  againQuestion: (count: number) => `Try ${some(count, 'address', 'addresses')} without an answer again?`,
  correctedQuestion: (count: number) => `Check ${some(count, 'corrected address', 'corrected addresses')}?`,
  untick: 'untick some domains, or ',
  begunElsewhere:
    'This was begun in another window meanwhile, so nothing was charged here. See what is left, and press again if you want it checked.',
};
