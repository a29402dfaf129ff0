// The mailbox does not exist or is closed, in Swedish, Danish, Norwegian, Finnish, Czech, Slovak, Hungarian, Romanian,
// Turkish and Greek. Few servers use these languages and no real replies were available, so every row is composed.
// Accents are folded before a row is tried, except the Turkish ı: `.` stands for it.
import type { ReplyRow } from '../reply-row.ts';

export const MAILBOX_FAR_EUROPE_ROWS: readonly ReplyRow[] = [
  {
    match:
      /(?:anvandare|mottagare|adress|konto|brevlada|postlada)\w{0,4}(?: MAIL| NAME|:| ar| har){0,4} (?:finns (?:inte|ej)|okan[dt]a?|existerar (?:inte|ej)|hittades (?:inte|ej)|saknas|ogiltigt?a?|avaktiverat?s?|inaktiverat?s?|sparrat?s?|stangts?|avslutats?)\b|\b(?:okand|ogiltig)a? (?:anvandare|mottagare|adress)/,
    means: 'no_mailbox',
    seen: '550 5.1.1 Okänd mottagare',
    composed: true,
  },
  {
    match:
      /(?:bruger|bruker|modtager|mottaker|adresse|konto|postkasse|postboks)\w{0,4}(?: MAIL| NAME|:| er| ble| blev){0,4} (?:(?:findes|finnes|eksisterer) ikke|ukendt|ukjent|ugyldig|ikke (?:fundet|funnet)|deaktiver\w{0,3}|lukket|stengt|sperret)\b|\b(?:ukendt|ukjent|ugyldig) (?:bruger|bruker|modtager|mottaker|adresse)/,
    means: 'no_mailbox',
    seen: '550 5.1.1 Ukendt bruger',
    composed: true,
  },
  {
    match:
      /(?:vastaanottaja|kayttaja|osoite|postilaatikko)\w{0,4}(?: MAIL| NAME|:){0,4} (?:ei ole olemassa|ei loydy|ei loytynyt|(?:on )?tuntematon|(?:on )?suljettu)\b|\btuntematon (?:vastaanottaja|kayttaja|osoite)/,
    means: 'no_mailbox',
    seen: '550 5.1.1 Tuntematon vastaanottaja',
    composed: true,
  },
  {
    match:
      /(?:uzivatel|pouzivatel|prijemc[ea]|adresat|adresa|schranka|ucet)\b[^.]{0,30}(?:neexistuje|nenalezen|nenajden|neznam|zrusen|zablokovan|neplatn|deaktivovan)|\b(?:neznam|neplatn|neexistujic)\w{1,3} (?:uzivatel|pouzivatel|prijemc|adres|schrank|ucet)/,
    means: 'no_mailbox',
    seen: '550 5.1.1 Uživatel neexistuje',
    composed: true,
  },
  {
    match:
      /(?:felhasznalo|cimzett|postafiok|e-?mail ?cim)\w{0,4}(?: MAIL| NAME|:){0,4} (?:nem letezik|ismeretlen|nem talalhato|megszunt|letiltva)|\b(?:ismeretlen|nem letezo|ervenytelen) (?:felhasznalo|cimzett|cim|postafiok)/,
    means: 'no_mailbox',
    seen: '550 5.1.1 Ismeretlen felhasználó',
    composed: true,
  },
  {
    match:
      /(?:utilizator|destinatar|adresa|contul?|casuta)\w{0,4}(?: MAIL| NAME|:| de e?-?mail| este| a fost){0,4} (?:inexistent|necunoscut|nu (?:mai )?exista|invalid|dezactivat|suspendat|sters)|\bnu exista (?:acest |un )?(?:utilizator|destinatar|cont)/,
    means: 'no_mailbox',
    seen: '550 5.1.1 Utilizator inexistent',
    composed: true,
  },
  {
    match:
      /(?:kullan.c.|al.c.|hesab?p?.?|e-?posta adresi|posta kutusu)\S{0,3}(?: MAIL| NAME|:){0,4} (?:bulunamad|yok\b|mevcut degil|gecersiz|bilinmiyor|kapat.l|devre d.s.|silin)|\b(?:gecersiz|bilinmeyen|tan.ms.z|boyle bir) (?:kullan.c.|al.c.|hesap|e-?posta)/,
    means: 'no_mailbox',
    seen: '550 5.1.1 Bilinmeyen kullanıcı',
    composed: true,
  },
  {
    match:
      /(?:χρήστης|παραλήπτης|διεύθυνση|λογαριασμός|γραμματοκιβώτιο)[^.]{0,30}(?:δεν (?:υπάρχει|βρέθηκε)|άγνωστ|απενεργοποι|μη έγκυρ)|(?:άγνωστ|ανύπαρκτ|μη έγκυρ)\S{1,3} (?:χρήστης|παραλήπτης|διεύθυνση|λογαριασμός)/,
    means: 'no_mailbox',
    seen: '550 5.1.1 Άγνωστος χρήστης',
    composed: true,
  },
];
