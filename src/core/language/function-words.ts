import { indexByWord } from './by-word.ts';

/**
 * Words that hold a sentence together: how a question is put, not what it asks. They tell the
 * language of a text, and are left out of questions. Written as words are compared, without accents
 * and apostrophes.
 */
const lists = {
  english: `a about above after again against all am an and any are arent as at be because been
    before being below between both but by can cant could couldnt did didnt do does doesnt doing
    dont down during each ever few for from further get got had hadnt has hasnt have havent having
    he her here hers herself him himself his how i if im in into is isnt it its itself ive
    just let lets many may me might more most much must my myself no nor not of off on once only or
    other our ours ourselves out over own same shall she should shouldnt so some such tell than
    that thats the their theirs them themselves then there theres these they theyd theyll theyre
    theyve this those through to too under until up us very was wasnt we were weve what whats when
    where which while who whom whose why will with wont would wouldnt you youd youll your youre
    yours yourself yourselves youve`,
  german: `aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da
    damit dann das dass dein deine deinem deinen deiner dem den denn der des dessen dich die dies
    diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es
    etwas euch euer eure fur gegen gibt hab habe haben habt hast hat hatte hatten hattest hier ich
    ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jeden jeder jedes jetzt kann
    kannst kein keine keinen konnen konnte man mein meine meinem meinen meiner mich mir mit muss
    nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit
    sich sie sind so soll sollte uber um und uns unser unsere unter viel viele vom von vor wann war
    waren warst warum was weil welche welchem welchen welcher welches wem wen wenn wer werde werden
    wessen wie wieder will wir wird wirst wo woher wohin wurde wurden zu zum zur zwischen`,
  french: `a ai alors apres as au aucun aussi autre aux avais avait avant avec avez avoir avons
    beaucoup bien car ce ceci cela celle celui ces cet cette ceux chez comme comment dans de depuis
    des deux donc dont du elle elles en encore entre es est et etaient etais etait ete etre eu eux
    fait ici il ils je jusque la laquelle le lequel les leur leurs lui ma mais me meme mes moi
    moins mon ne ni nos notre nous on ont ou par parce pas pendant peu peut plus pour pourquoi
    quand que quel quelle quelles quels qui quoi sa sans se sera ses si son sont sous suis sur ta
    te tes toi ton toujours tous tout toute toutes tres tu un une vers voici vos votre vous y`,
  spanish: `a al algo algun alguna algunos ante antes aquel aquella asi aun aunque bajo cada como
    con contra cual cuales cuando cuanto cuantos de del desde donde dos el ella ellas ellos en
    entre era eran eres es esa ese eso esos esta estaba estan estas este esto estos estoy fue
    fueron ha hace hacia han has hasta hay he la las le les lo los mas me mi mientras mis mucho
    muchos muy nada ni no nos nosotros nuestra nuestro o otra otro para pero poco por porque pues
    que quien quienes se segun ser si sido sin sobre son soy su sus tambien te tengo ti tiene
    tienen todo todos tu tus un una unas uno unos usted y ya yo`,
  italian: `a ad ai al alla alle allo anche ancora avere aveva avevo che chi ci cio come con cosi
    cui da dagli dai dal dalla dalle dallo degli dei del della delle dello di dopo dove due e ed
    era erano ero essere fa fra gli ha hai hanno ho i il in io la le lei li lo loro lui ma me
    mentre mi mia mie miei mio molto ne nei nel nella nelle nello nessuno noi non nostra nostro o
    ogni oppure per perche percio pero piu poi prima qual qualche quale quali quando quanti quanto
    quella quelle quelli quello questa queste questi questo qui se sei senza si sia siamo siete
    solo sono sopra sotto stata stato su sua sue sugli sui sul sulla suo suoi ti tra tu tua tue tuo
    tuoi tutti tutto un una uno vi voi`,
  portuguese: `a ainda ao aos aquela aquele aquilo as ate com como da das de dela dele depois desde
    do dos e ela elas ele eles em entre era eram essa esse esta estao estava este estou eu foi
    foram ha isso isto ja lhe mais mas me mesmo meu meus minha minhas muito muitos na nao nas nem
    no nos nossa nosso num numa o onde os ou para pela pelo pelos por porque pra quais qual quando
    quanto quantos que quem sao se sem sempre ser sera seu seus so sobre sou sua suas tambem te tem
    tenho ter teu tinha toda todo todos tu tua tudo um uma uns voce voces`,
  dutch: `aan al alle alles als altijd andere ben bent bij daar dan dat de deze die dit doch doen
    door dus een eens en er ge geen had hadden heb hebben hebt heeft hem het hier hij hoe hoeveel
    hun iets ik in is ja je jij jou jouw jullie kan kun kunnen maar me meer men met mij mijn moet
    na naar niet niets nog nu of om omdat onder ons onze ook op over reeds sinds te tegen toch toen
    tot u uit uw van veel voor waar waarom wanneer want waren was wat welk welke werd wie wij wil
    worden wordt zal ze zelf zich zij zijn zo zonder zou`,
  swedish: `alla allt ar att av bara blev bli blir da dar de dem den denna deras dess det detta dig
    din dina ditt du efter ej eller en er ert ett for fran ha hade han hans har hennes hon honom
    hur i icke inga ingen inget inte jag ju kan kunde man maste med mellan men mig min mina mitt
    mot mycket nagon nagot nagra nar ni nu och ocksa om oss over pa sa sadan sedan sig sin sina
    sitt ska skulle som till under upp ut utan vad var vara varfor varit varje vart vem vi vid
    vilka vilken vilket`,
  danish: `af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din
    dine dit dog du efter ej eller en end er et fa far for fordi fra ham han hans har havde have
    hende hendes her hvad hvem hver hvilke hvilken hvis hvor hvordan hvorfor hvornar i ikke ind
    ingen intet jeg jer jeres kan kunne ma man mange med meget mellem men mig min mine mit mod nar
    ned nej nogen noget nogle nu og ogsa om op os over pa sadan selv sig sin sine sit skal skulle
    som til ud uden under vaere vaeret var ved vi vil ville vor`,
  norwegian: `alle at av bare begge ble blei bli blir da de deg dei dem den denne der deres det
    dette din dine ditt du eg eit eller en enn er et ett etter for fordi fra ha hadde han hans har
    henne hennes her hun hva hvem hver hvilke hvilken hvis hvor hvordan hvorfor i ikke ikkje ingen
    inn jeg kan kunne ma man mange med meg meget mellom men mer mi min mine mitt mot mye na nar ned
    nei noe noen og ogsa om opp oss over pa sa seg selv sin sine sitt skal skulle slik som til ut
    uten vaere vaert var ved vi vil ville`,
  finnish: `ei eika eivat emme en enka etta ette han hanen hanta he heidan ilman itse ja jo joka
    jonka jos jossa joten jotka kanssa keita ken kenen kenet keta ketka koko koska kuin kuinka kuka
    kun kylla me meidan mihin mika miksi millainen milloin mina minka minne minua minulla minulle
    minun missa mista mita miten mitka monta mukaan mutta myos naita nama ne niiden niin nyt olemme
    olen olet olette oli oliko olin olisi olivat olla ollut on onko ovat paljon se seka sen siella
    siita silla sina sinua sinulla sinun sita sitten tai tama taman tassa tata te teidan tuo vaan
    vai vain voi`,
  hungarian: `a abban ahol aki akik akkor amely ami amikor annak arra az azert azok azon azt bar be
    benne csak de egy egyik el en es ez ezek ezen ezert ezt fel ha hanem hany hat hogy hogyan hol
    honnan hova ide igen ilyen is itt ki kinek kit le legyen lehet lenne lesz lett mar meg mely
    mennyi mert mi miert mikor milyen minden mint mit mivel most nagyon ne nekem neki nem nincs o
    ok olyan ott pedig s sem sok szerint te ti tud tul ugy utan vagy vagyok vagyunk valo van vannak
    volt voltam`,
  romanian: `a acea aceasta aceea acest acesta acum ai al ale am ar are as asta astfel au avea avem
    avut ca cand care caror ce cea cei cel cele cind cine cu cum da dar de decat deci despre din
    dintre doar dupa ea ei el ele era eram este esti eu fara fi fie foarte fost iar ii il imi in
    inainte intr intre isi la le li lor lui mai mea mei mele meu mult nici nimic noi nostru nu o
    ori pe pentru peste prin sa sale sau se si sint sub sunt suntem ta te toate tot toti tu un una
    unde unei unor unui va voi vom vor voua`,
  turkish: `acaba ama ancak artik aslinda az bana bazi belki ben bende benden beni benim bir biraz
    biz bizim bu buna bunda bundan bunu bunun burada cok cunku da daha de degil diye en fakat gibi
    hangi hem hep hepsi her hic icin iken ile ise kac kadar kendi ki kim kime kimi kimin mi mu
    nasil ne neden nerede nereden nereye niye o olan olarak oldu oldugu olur on ona onda ondan
    onlar onu onun orada oysa pek sana sen seni senin sey siz sizin sonra su sunu tum var ve veya
    ya yani yok zaman`,
};

/** Folded function words, and the languages of Latin script in which each is one. */
export const functionWords = indexByWord(lists);
