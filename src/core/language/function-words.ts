import { byWord } from './by-word.ts';

/**
 * Words that hold a sentence together: how a question is put, not what it asks. They tell the
 * language of a text, and are left out of questions. Apostrophes are removed.
 */
const lists = {
  english: `a about above after again against all am an and any are arent as at be because been
    before being below between both but by can cant could couldnt did didnt do does doesnt doing
    dont down during each ever few for from further get got had hadnt has hasnt have havent having
    he her here hers herself him himself his how i id if ill im in into is isnt it its itself ive
    just let lets many may me might more most much must my myself no nor not of off on once only or
    other our ours ourselves out over own same shall she should shouldnt so some such tell than that
    thats the their theirs them themselves then there theres these they theyd theyll theyre theyve
    this those through to too under until up us very was wasnt we were weve what whats when where
    which while who whom whose why will with wont would wouldnt you youd youll your youre yours
    yourself yourselves youve`,
  german: `aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da
    damit dann das dass dein deine deinem deinen deiner dem den denn der des dessen dich die dies
    diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es
    etwas euch euer eure für gegen gibt hab habe haben habt hast hat hatte hatten hattest hier ich
    ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jeden jeder jedes jetzt kann
    kannst kein keine keinen können könnte man mein meine meinem meinen meiner mich mir mit muss
    nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit sich
    sie sind so soll sollte über um und uns unser unsere unter viel viele vom von vor wann war waren
    warst warum was weil welche welchem welchen welcher welches wem wen wenn wer werde werden wessen
    wie wieder will wir wird wirst wo woher wohin wurde wurden würde zu zum zur zwischen`,
  french: `à ai alors après as au aucun aussi autre aux avais avait avant avec avez avoir avons
    beaucoup bien car ce ceci cela celle celui ces cet cette ceux chez comme comment dans de depuis
    des deux dont donc du elle elles en encore entre es est et était étais étaient été être eu eux
    fait il ils ici je jusque la là laquelle le lequel les leur leurs lui ma mais me même mes moi
    moins mon ne ni nos notre nous on ont ou où par parce pas pendant peu peut plus pour pourquoi
    quand que quel quelle quelles quels qui quoi sa sans se sera ses si son sont sous suis sur ta te
    tes toi ton toujours tous tout toute toutes très tu un une vers voici vos votre vous y`,
  spanish: `a al algo algún alguna algunos ante antes aquel aquella así aún aunque bajo cada como
    cómo con contra cual cuál cuáles cuando cuándo cuánto cuántos de del desde donde dónde dos el él
    ella ellas ellos en entre era eran eres es esa ese eso esos esta está están estaba estas este
    esto estos estoy fue fueron ha hace hacia han has hasta hay he la las le les lo los me mi mí
    mientras mis mucho muchos muy más nada ni no nos nosotros nuestra nuestro o otra otro para pero
    poco por porque pues que qué quien quién quiénes se según ser si sí sido sin sobre soy son su
    sus también te tengo ti tiene tienen todo todos tu tú tus un una unas uno unos usted ya y yo`,
  italian: `a ad ai al alla alle allo anche ancora avere aveva avevo che chi ci ciò come con così cui
    da dagli dai dal dalla dalle dallo degli dei del della delle dello di dopo dove due e è ed era
    erano ero essere fa fra gli ha hai hanno ho i il in io la le lei li lo loro lui ma me mentre mi
    mia mie miei mio molto ne nei nel nella nelle nello nessuno noi non nostra nostro o ogni oppure
    per perché perciò però più poi prima qual quale quali qualche quando quanto quanti quella quelle
    quelli quello questa queste questi questo qui se sei senza si sia siamo siete solo sono sopra
    sotto stata stato su sua sue sugli sui sul sulla suo suoi ti tra tu tua tue tuo tuoi tutti tutto
    un una uno vi voi`,
  portuguese: `a ainda ao aos aquela aquele aquilo as às até com como da das de dela dele depois desde
    do dos e é ela elas ele eles em entre era eram essa esse esta está estão estava este estou eu
    foi foram há isso isto já lhe mais mas me mesmo meu meus minha minhas muito muitos na não nas nem
    no nos nós nossa nosso num numa o onde os ou para pela pelo pelos por porque porquê pra qual quais
    quando quanto quantos que quê quem são se sem sempre ser será seu seus só sobre sou sua suas
    também te tem têm tenho ter teu tinha toda todo todos tu tua tudo um uma uns você vocês`,
  dutch: `aan al alle alles als altijd andere ben bent bij daar dan dat de deze die dit doch doen door
    dus een eens en er ge geen had hadden heb hebben hebt heeft hem het hier hij hoe hoeveel hun iets
    ik in is ja je jij jou jouw jullie kan kun kunnen maar me meer men met mij mijn moet na naar niet
    niets nog nu of om omdat onder ons onze ook op over reeds sinds te tegen toch toen tot u uit uw
    van veel voor waar waarom wanneer want waren was wat welk welke werd wie wij wil worden wordt zal
    ze zelf zich zij zijn zo zonder zou`,
  swedish: `alla allt att av bara blev bli blir de dem den denna deras dess det detta dig din dina
    ditt du där då efter ej eller en er ert ett från för ha hade han hans har hennes hon honom hur
    här i icke inga ingen inget inte jag ju kan kunde man med mellan men mig min mina mitt mot mycket
    måste ni nu när någon något några och också om oss på sedan sig sin sina sitt ska skulle som
    så sådan till under upp ut utan vad var vara varför varit varje vart vem vi vid vilka vilken
    vilket vår våra vårt är över`,
  danish: `af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din dine
    dit dog du efter ej eller en end er et for fordi fra få får ham han hans har havde have hende
    hendes her hvad hvem hver hvilken hvilke hvis hvor hvordan hvorfor hvornår i ikke ind ingen
    intet jeg jer jeres kan kunne man mange med meget mellem men mig min mine mit mod må ned nej
    noget nogle nogen nu når og også om op os over på selv sig sin sine sit skal skulle som sådan til
    ud under uden var ved vi vil ville vor være været`,
  norwegian: `alle at av bare begge ble blei bli blir da de deg dei dem den denne der deres det dette
    din dine ditt du eg eit eller en enn er et ett etter for fordi fra før ha hadde han hans har
    hennes henne her hun hva hvem hver hvilken hvilke hvis hvor hvordan hvorfor i ikke ikkje ingen
    inn jeg kan kunne man mange med meg meget mellom men mer mi min mine mitt mot mye må ned nei noe
    noen nå når og også om opp oss over på seg selv sin sine sitt skal skulle slik som så til ut uten
    var ved vi vil ville vår være vært`,
  finnish: `ei eikä emme en enkä eivät että ette he heidän hänen hän häntä ilman itse ja jo jos joka
    jonka jossa jotka joten kanssa keitä ken kenen kenet ketkä ketä koko koska kuin kuinka kuka kun
    kyllä me meidän mikä millainen miksi milloin minne minkä minua minulla minulle minun minä missä
    mistä mitkä mitä miten mihin monta mukaan mutta myös ne niiden niin nyt näitä nämä oli olen
    olemme olet olette oliko olin olisi olivat olla ollut on onko ovat paljon se sekä sen siellä siitä
    sillä sinua sinulla sinun sinä sitten sitä tai te teidän tuo tämä tämän tässä tätä vai vain
    voi vaan`,
  hungarian: `a az abban ahol aki akik akkor amely ami amikor annak arra azért azt azok azon bár be
    benne csak de egy egyik el ez ezek ezen ezért ezt én és fel ha hanem hát hogy hogyan hol honnan
    hova hány ide igen ilyen is itt ki kit kinek le legyen lehet lenne lesz lett még meg mennyi
    mert mi miért mikor milyen mint minden mit mivel mely most már nagyon ne neki nekem nem nincs ő
    ők olyan ott pedig sem sok szerint s te ti tud túl után úgy vagy vagyok vagyunk van vannak
    volt voltam való`,
  romanian: `a acea aceasta această aceea acest acesta acum ai al ale am ar are aș asta astfel au
    avea avem avea avut ca că când care căror ce cel cea cei cele cine cînd cu cum da dar de deci
    decât despre din dintre doar după ea ei el ele era eram ești este eu fi fie fost foarte fără iar
    îi îl îmi în înainte într între își la le li lor lui mai mea mei mele meu mult nici nimic noi
    nostru nu o ori pe pentru peste prin sa să sale sau se și sînt sub sunt suntem ta te toate tot
    toți tu un una unde unei unui unor va voi vom vor vouă`,
  turkish: `acaba ama ancak artık aslında az bana bazı belki ben bende benden beni benim bir biraz biz
    bizim bu buna bunda bundan bunu bunun burada çok çünkü da daha de değil diye en fakat gibi hangi
    hem hep hepsi her hiç için ile ise iken kaç kadar kendi ki kim kime kimi kimin mi mı mu mü nasıl
    ne neden nerede nereden nereye niye o olan olarak oldu olduğu olur ona onda ondan onlar onu onun
    orada oysa ön pek sana sen seni senin siz sizin sonra şey şu şunu tüm var ve veya ya yani yok
    zaman`,
};

/** Folded function words, and the languages of Latin script in which each is one. */
export const functionWords = byWord(lists);
