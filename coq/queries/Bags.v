(** * BAG: two queries have the same rows (THEORY-SQL, section 4)

    The monomials of both normal forms correspond, and so do their slots; where the condition of one holds, that of the other does,
    and both make one row. A monomial whose condition never holds has no partner. *)
From Tallystick.queries Require Export Facts.

Definition evidence := (list step * tree)%type.
Record pair_proof := { left_one : nat; right_one : nat; order : list nat; forth : evidence; back : evidence; same_head : evidence }.
Record form_proof := { functions : list existence; pairs : list pair_proof; left_empty : list (nat * evidence); right_empty : list (nat * evidence) }.

Definition permutes (l : list nat) (n : nat) : bool := Nat.eqb (List.length l) n && forallb (fun i => existsb (Nat.eqb i) l) (seq 0 n).
Lemma permutes_ok l n : permutes l n = true -> Permutation (seq 0 n) l.
Proof.
  unfold permutes. rewrite andb_true_iff, forallb_forall. intros [L H]. apply Nat.eqb_eq in L. apply NoDup_Permutation_bis.
  - apply seq_NoDup. - rewrite seq_length. lia.
  - intros i I. apply H, existsb_exists in I as (j & J & E). apply Nat.eqb_eq in E. now subst.
Qed.

(** ** Slots in another order *)
Fixpoint assigned (l : list nat) (vs : list val) (i : nat) : val := match l, vs with
  | j :: l, v :: vs => if Nat.eqb i j then v else assigned l vs i | _, _ => nothing end.
Section Reordered.
  Variables (en : env) (slots : list (string * ty)).
  Definition slot (i : nat) : string * ty := nth i slots (""%string, TInt).
  Lemma choices_perm {A} l l' : Permutation l l' -> NoDup l -> forall g : (nat -> val) -> list A, (forall f f', (forall i, f i = f' i) -> g f = g f') ->
    Permutation (flat_map (fun vs => g (assigned l vs)) (choices en (map slot l))) (flat_map (fun vs => g (assigned l' vs)) (choices en (map slot l'))).
  Proof.
    induction 1 as [|x l l' P IH|x y l|l l' l'' P1 IH1 P2 IH2]; intros ND g E; auto.
    - cbn [map choices]. destruct (slot x) as [t u]. rewrite !flat_map_flat_map. apply flat_map_same. intros v _. rewrite !flat_map_map. cbn [assigned].
      inversion ND; subst. apply (IH H2 (fun f => g (fun i => if Nat.eqb i x then v else f i))). intros f f' F. apply E. intros i. now rewrite F.
    - cbn [map choices]. destruct (slot x) as [t u], (slot y) as [t' u']. rewrite !flat_map_flat_map.
      assert (S : forall v w zs, g (assigned (y :: x :: l) (v :: w :: zs)) = g (assigned (x :: y :: l) (w :: v :: zs))).
      { intros v w zs. apply E. intros i. cbn [assigned]. destruct (Nat.eqb_spec i y), (Nat.eqb_spec i x); auto. subst. inversion ND; subst. exfalso. apply H1. now left. }
      set (C := choices en (map slot l)). set (Y := elements (en (N t') (TBag u'))). set (X := elements (en (N t) (TBag u))).
      transitivity (flat_map (fun v => flat_map (fun w => flat_map (fun zs => g (assigned (y :: x :: l) (v :: w :: zs))) C) X) Y).
      + apply Permutation_refl'. apply flat_map_ext. intros v. rewrite flat_map_map, flat_map_flat_map. apply flat_map_ext. intros w. now rewrite flat_map_map.
      + etransitivity; [apply flat_map_swap|]. apply Permutation_refl'. apply flat_map_ext. intros w. rewrite flat_map_map, flat_map_flat_map. apply flat_map_ext. intros v.
        rewrite flat_map_map. apply flat_map_ext. intros zs. apply S.
    - etransitivity; [apply IH1; auto|]. apply IH2; auto. now apply (Permutation_NoDup P1).
  Qed.
End Reordered.

Lemma assigned_seq ys : forall i, (i < List.length ys)%nat -> assigned (seq 0 (List.length ys)) ys i = nth i ys nothing.
Proof.
  enough (G : forall ys j i, (i < List.length ys)%nat -> assigned (seq j (List.length ys)) ys (j + i) = nth i ys nothing) by (intros i I; exact (G ys O i I)).
  induction ys0 as [|y l IH]; intros j [|i] L; cbn [List.length seq assigned nth] in *; try lia.
  - now rewrite Nat.add_0_r, Nat.eqb_refl.
  - destruct (Nat.eqb_spec (j + Datatypes.S i) j); [lia|]. rewrite <- Nat.add_succ_comm. apply IH. lia.
Qed.
Lemma assigned_self l : forall zs, NoDup l -> List.length zs = List.length l -> map (assigned l zs) l = zs.
Proof.
  induction l as [|j l IH]; intros [|z zs] N L; try discriminate; auto. inversion N; subst. cbn [map assigned]. rewrite Nat.eqb_refl. f_equal.
  transitivity (map (assigned l zs) l); [|apply IH; auto]. apply map_ext_in. intros i I. destruct (Nat.eqb_spec i j); auto. now subst.
Qed.
Lemma map_slot_seq l : map (slot l) (seq 0 (List.length l)) = l.
Proof. unfold slot. generalize (""%string, TInt). intros e. induction l as [|m ms IH]; auto. cbn [List.length seq map nth]. f_equal. now rewrite <- seq_shift, map_map. Qed.
Lemma flat_map_none {A B} (f : A -> list B) l : (forall x, In x l -> f x = []) -> flat_map f l = [].
Proof. induction l as [|x l IH]; cbn; auto. intros H. rewrite H, IH; auto. Qed.
Lemma flat_map_ext_in' {A B} (f g : A -> list B) l : (forall x, In x l -> f x = g x) -> flat_map f l = flat_map g l.
Proof. induction l as [|x l IH]; cbn; auto. intros H. rewrite H, IH; auto. Qed.

(** ** The rule *)
Section Rule.
  Variables (ds : list existence) (s : Q.schema) (fuel : nat) (cs : list Q.constraint).
  Definition context_of (m : monomial) : context := {| variables := map (fun tu => {| of := snd tu; source := fst tu; guard := tt' |}) (over m); known := [] |}.
  Definition well_formed (ks : list Q.kind) (m : monomial) : bool :=
    scoped true (slots_types m) (condition m) && scoped true (slots_types m) (tuple (heads m)) && is (type (condition m)) TBool && is (type (tuple (heads m))) (row_ty ks).
  Definition is_pair (ks : list Q.kind) (m n : monomial) (p : pair_proof) : bool :=
    let c := context_of m in let xs := map (fun i => Var (Any i) (snd (slot (over m) i))) (order p) in
    let there := substitute (Definitions.put xs) in
    permutes (order p) (List.length (over m)) && over_eqb (map (slot (over m)) (order p)) (over n) && well_formed ks m && well_formed ks n &&
    follows_by ds s fuel cs c [condition m] (there (condition n)) (forth p) &&
    follows_by ds s fuel cs c [there (condition n)] (condition m) (back p) &&
    follows_by ds s fuel cs c [condition m] (eq' (tuple (heads m)) (there (tuple (heads n)))) (same_head p).
  Definition is_empty (ks : list Q.kind) (m : monomial) (e : evidence) : bool :=
    well_formed ks m && follows_by ds s fuel cs (context_of m) [condition m] ff' e.
  Definition numbered (ms : list monomial) (i : nat) : monomial := nth i ms {| over := []; condition := ff'; heads := [] |}.
  Definition same_bags_by (ks : list Q.kind) (ms ns : list monomial) (p : form_proof) : bool :=
    permutes (map left_one (pairs p) ++ map fst (left_empty p)) (List.length ms) && permutes (map right_one (pairs p) ++ map fst (right_empty p)) (List.length ns) &&
    forallb (fun x => is_pair ks (numbered ms (left_one x)) (numbered ns (right_one x)) x) (pairs p) &&
    forallb (fun x => is_empty ks (numbered ms (fst x)) (snd x)) (left_empty p) && forallb (fun x => is_empty ks (numbered ns (fst x)) (snd x)) (right_empty p).
End Rule.

Section Sound.
  Variables (ds : list existence) (s : Q.schema) (d : Q.database) (en : env) (fuel : nat) (cs : list Q.constraint).
  Hypothesis EN : typed en.
  Hypothesis KN : knows_ex ds en.
  Hypothesis OK : forallb defined_ok ds = true.
  Hypothesis CO : Q.conforms s d.
  Hypothesis CS : Forall (Q.satisfies d) cs.
  Hypothesis TAB : forall t cs, lookup s t = Some cs -> Permutation (elements (en (N t) (TBag (table_ty cs)))) (map (fun r => VTup (stored_row cs r)) (d t)).
  Hypothesis EVERY : forall ks, exists us, NoDup us /\ Forall (of_kinds ks) us /\ Permutation (elements (en (N (every ks)) (TBag (row_ty ks)))) (map (enc ks) us).

  Definition at_choice (m : monomial) (ys : list val) : env := bound (slots_types m) ys en.
  Definition out (m : monomial) (ys : list val) : list val := if toB (meaning (at_choice m ys) (condition m)) then [meaning (at_choice m ys) (tuple (heads m))] else [].
  Definition outs (m : monomial) : list val := flat_map (out m) (choices en (over m)).
  Lemma means_outs ms ks rows : means_rows en [] [] ms rows -> uniform_of ms ks -> Permutation (map (enc ks) rows) (flat_map outs ms).
  Proof.
    intros (brs & F & P) U. etransitivity; [apply Permutation_map; symmetry; exact P|]. apply Permutation_refl'. clear P.
    apply (fun F => makes_typed en EN [] [] ms brs F (Forall2_nil _)) in F. revert brs F. induction U as [|m ms K U IH]; intros brs F; unfold cases in *; cbn [flat_map] in *; [inversion F; reflexivity|].
    apply Forall2_app_inv_l in F as (b1 & b2 & F1 & F2 & ->). rewrite kept_app. etransitivity; [apply map_app|]. f_equal; [|exact (IH _ F2)]. clear IH F2 U. unfold outs.
    revert b1 F1. generalize (choices en (over m)). induction l as [|ys l IH]; intros b1 F; inversion F as [|? [b row] ? ? [A B] F']; subst; auto. cbn [flat_map fst snd app] in *.
    destruct (B _ (here_bound en _ _ EN A)) as [[_ B1] B2]. apply row_tuple in B2 as [_ B2]. unfold kept. cbn [filter fst]. unfold out at 1, at_choice. cbn [fst snd app] in B1, B2. unfold meaning.
    rewrite B1, toB_bool, B2. destruct b; cbn [map snd app]; [f_equal|]; apply (IH _ F').
  Qed.
  Lemma at_start m ys : In ys (choices en (over m)) -> holds en (context_of m) ys.
  Proof.
    intros Y. assert (K : kinds_in (context_of m) = slots_types m) by (unfold kinds_in, context_of, slots_types, types; cbn; now rewrite map_map).
    split; rewrite ?K; [now apply choices_typed in Y| |intros f []]. intros i v N. unfold context_of in N. cbn [variables] in N. apply nth_error_map_inv in N as ([t u] & N & <-). cbn [of source fst snd]. split.
    - unfold slots_types, types. now apply (map_nth_error snd) in N.
    - intros r R _. exact (choices_nth en _ _ _ _ _ Y N).
  Qed.
  Lemma kinds_start m : kinds_in (context_of m) = slots_types m.
  Proof. unfold kinds_in, context_of, slots_types, types. cbn. now rewrite map_map. Qed.
  Notation follows_by := (follows_by ds s fuel cs).
  Let follows_ok := follows_by_ok ds s d en fuel cs EN KN OK CO CS TAB EVERY.
  Lemma empty_ok ks m e : is_empty ds s fuel cs ks m e = true -> outs m = [].
  Proof.
    unfold is_empty. rewrite andb_true_iff. intros [W E]. unfold outs. apply flat_map_none. intros ys Y. unfold out.
    destruct (toB (meaning (at_choice m ys) (condition m))) eqn:C; auto. exfalso. destruct (follows_ok _ ys _ _ _ E (at_start m ys Y)) as [_ H].
    rewrite kinds_start in H. fold (at_choice m ys) in H. specialize (H ltac:(intros h [<-|[]]; exact C)). discriminate.
  Qed.
  Lemma typed_slots m l : (forall i, In i l -> (i < List.length (over m))%nat) -> typed_as (map (fun i => Var (Any i) (snd (slot (over m) i))) l) (types (map (slot (over m)) l)).
  Proof. intros L. unfold types. rewrite map_map. unfold typed_as. induction l as [|i l IH]; cbn; constructor; [reflexivity|apply IH; intros; apply L; now right]. Qed.
  Lemma pair_ok ks m n p : is_pair ds s fuel cs ks m n p = true -> Permutation (outs m) (outs n).
  Proof.
    unfold is_pair. cbv zeta. set (xs := map (fun i => Var (Any i) (snd (slot (over m) i))) (order p)). set (th := substitute (Definitions.put xs)). rewrite !andb_true_iff. intros ((((((P & O) & WM) & WN) & F1) & F2) & F3).
    pose proof P as P'. apply permutes_ok in P. apply over_eqb_eq in O. set (k := List.length (over m)) in *.
    unfold well_formed in WM, WN. rewrite !andb_true_iff in WM, WN. destruct WM as (((M1 & M2) & M3) & M4), WN as (((N1 & N2) & N3) & N4). apply is_eq in M3, M4, N3, N4.
    assert (LT : forall i, In i (order p) -> (i < k)%nat) by (intros i I; apply (Permutation_in _ (Permutation_sym P)), in_seq in I; lia).
    assert (ND : NoDup (order p)) by (apply (Permutation_NoDup P), seq_NoDup).
    assert (SM : map (slot (over m)) (seq 0 k) = over m) by apply map_slot_seq.
    set (g := fun f : nat -> val => out n (map f (order p))).
    assert (GE : forall f f', (forall i, f i = f' i) -> g f = g f') by (intros f f' E; unfold g; f_equal; now apply map_ext).
    pose proof (choices_perm en (over m) (seq 0 k) (order p) P (seq_NoDup _ _) g GE) as C. rewrite SM, O in C.
    etransitivity; [|etransitivity; [exact C|]]; apply Permutation_refl'; unfold outs.
    - apply flat_map_ext_in'. intros ys Y. pose proof (choices_typed en _ _ EN Y) as TY. pose proof (at_start m ys Y) as H.
      assert (LY : List.length ys = k) by (rewrite (Forall2_length _ _ _ TY); unfold types; apply map_length).
      set (r := at_choice m ys). assert (R : here en (slots_types m) ys r) by (apply here_bound; auto). pose proof (here_typed _ _ _ _ R) as RT.
      assert (XS : map (meaning r) xs = map (assigned (seq 0 k) ys) (order p)).
      { unfold xs. rewrite map_map. apply map_ext_in. intros i I. unfold meaning. cbn [run]. transitivity (nth i ys nothing); [|rewrite <- LY; symmetry; apply assigned_seq; rewrite LY; auto].
        apply (here_any _ _ _ _ R). unfold slots_types, types. apply (map_nth_error snd). unfold slot. apply nth_error_nth'. now apply LT. }
      assert (TH : forall t u, type t = Some u -> scoped true (slots_types n) t = true -> type (th t) = Some u /\ meaning r (th t) = meaning (at_choice n (map (assigned (seq 0 k) ys) (order p))) t).
      { intros t u T S. pose proof (typed_slots m (order p) LT) as TX. fold xs in TX. rewrite O in TX. destruct (Definitions.put_ok r xs _ t u RT TX T) as [T1 T2]. split; auto. unfold th. rewrite T2, XS.
        pose proof (Definitions.values_typed r xs _ RT TX) as V. rewrite XS in V. apply here_meaning; auto. split; [now apply bound_typed| |intros j w J; now apply bound_nth].
        intros x w X. rewrite <- (here_same _ _ _ _ R x w X). destruct x; auto; discriminate. }
      destruct (follows_ok _ ys _ _ _ F1 H) as [_ G1], (follows_ok _ ys _ _ _ F2 H) as [_ G2], (follows_ok _ ys _ _ _ F3 H) as [_ G3].
      rewrite kinds_start in G1, G2, G3. fold (at_choice m ys) in G1, G2, G3. fold r in G1, G2, G3.
      destruct (TH _ _ N3 N1) as [_ C1]. destruct (TH _ _ N4 N2) as [T2 C2]. unfold g, out. fold r. rewrite <- C1, <- C2.
      destruct (toB (meaning r (condition m))) eqn:CM.
      + rewrite (G1 ltac:(intros h [<-|[]]; exact CM)). f_equal. specialize (G3 ltac:(intros h [<-|[]]; exact CM)). rewrite (proj2 (eq_ok r _ _ _ RT M4 T2)) in G3. now apply veqb_eq.
      + destruct (toB (meaning r (th (condition n)))) eqn:CN; auto. exfalso. assert (X : false = true) by (apply G2; intros h [<-|[]]; exact CN). discriminate.
    - apply flat_map_ext_in'. intros zs Z. unfold g. f_equal. apply assigned_self; auto. pose proof (choices_typed en _ _ EN Z) as TZ. rewrite (Forall2_length _ _ _ TZ). unfold types.
      rewrite map_length, <- O. now rewrite map_length.
  Qed.
  Lemma numbered_all ms : map (numbered ms) (seq 0 (List.length ms)) = ms.
  Proof. unfold numbered. generalize {| over := []; condition := ff'; heads := [] |}. intros e. induction ms as [|m ms IH]; auto. cbn [List.length seq map nth]. f_equal. now rewrite <- seq_shift, map_map. Qed.
  Lemma all_numbered ms l : Permutation (seq 0 (List.length ms)) l -> Permutation (flat_map outs ms) (flat_map outs (map (numbered ms) l)).
  Proof. intros P. rewrite <- (numbered_all ms) at 1. apply flat_map_perm. now apply Permutation_map. Qed.
  Theorem same_bags_ok ks ms ns p : same_bags_by ds s fuel cs ks ms ns p = true -> Permutation (flat_map outs ms) (flat_map outs ns).
  Proof.
    unfold same_bags_by. rewrite !andb_true_iff. intros ((((A & B) & C) & D) & E). apply permutes_ok in A, B. rewrite (all_numbered ms _ A), (all_numbered ns _ B). rewrite !map_app, !flat_map_app.
    assert (NONE : forall xs l, forallb (fun x => is_empty ds s fuel cs ks (numbered xs (fst x)) (snd x)) l = true -> flat_map outs (map (numbered xs) (map fst l)) = []).
    { intros xs l H. rewrite forallb_forall in H. rewrite map_map, flat_map_map. apply flat_map_none. intros x X. exact (empty_ok ks _ _ (H x X)). }
    rewrite (NONE ms _ D), (NONE ns _ E), !app_nil_r, !map_map, !flat_map_map. apply flat_map_same. intros x X. rewrite forallb_forall in C. exact (pair_ok ks _ _ x (C x X)).
  Qed.
End Sound.

Lemma row_kinds_all en (EN : typed en) ms rows ks : means_rows en [] [] ms rows -> uniform_of ms ks -> Forall (of_kinds ks) rows.
Proof.
  intros (brs & F & P) U. apply (fun F => makes_typed en EN [] [] ms brs F (Forall2_nil _)) in F. apply (Permutation_Forall P). clear P rows.
  revert brs F. induction U as [|m ms K U IH]; intros brs F; unfold cases in *; cbn [flat_map] in *; [inversion F; constructor|].
  apply Forall2_app_inv_l in F as (b1 & b2 & F1 & F2 & ->). rewrite kept_app. apply Forall_app. split; [|exact (IH _ F2)]. clear IH F2 U.
  revert b1 F1. generalize (choices en (over m)). induction l as [|ys l IH]; intros b1 F; inversion F as [|? [b row] ? ? [A B] F']; subst; [constructor|]. cbn [fst snd] in *.
  destruct (B _ (here_bound en _ _ EN A)) as [_ B2]. apply row_kinds in B2. specialize (IH _ F'). unfold kept in *. cbn [filter fst]. destruct b; cbn [map snd]; auto.
Qed.
Lemma enc_permutation ks l k : Forall (of_kinds ks) l -> Forall (of_kinds ks) k -> Permutation (map (enc ks) l) (map (enc ks) k) -> Permutation l k.
Proof.
  intros L K P. apply Permutation_map_inv in P as (l' & E & P). transitivity l'; [|now symmetry]. apply Permutation_refl'.
  apply (Permutation_Forall P) in K. clear P k. revert l' K E. induction L as [|r l R L IH]; intros [|r' l'] K E; try discriminate; auto.
  cbn [map] in E. apply Forall_cons_iff in K as [R' K]. injection E as E1 E2. f_equal; [|now apply IH]. apply (enc_injective ks); auto. unfold enc. congruence.
Qed.

(** ** Databases, with what is there of every kind of row, and with the functions that a proof defines *)
Fixpoint calls_no (f : string) (t : term) : bool := match t with
  | Op o args => match o with Apply g _ _ => negb (String.eqb f g) | Expand _ _ _ => false | _ => true end && forallb (calls_no f) args
  | Var (App _ _ _) _ => false | _ => true end.
Definition except (f : string) (r r' : env) := forall x u, match x with App g _ _ => g <> f | _ => True end -> r x u = r' x u.
Lemma calls_no_ext f t r r' : except f r r' -> calls_no f t = true -> forall e a, eval r e a t = eval r' e a t.
Proof.
  intros E. induction t using term_ind'; intros C e a; try reflexivity.
  - cbn [run]. apply E. destruct x; auto. cbn in C. discriminate.
  - cbn [calls_no] in C. apply andb_true_iff in C as [O C].
    assert (X : forall x, In x args -> forall e a, eval r e a x = eval r' e a x) by (rewrite Forall_forall in H; rewrite forallb_forall in C; auto).
    assert (M : forall e a, map (eval r e a) args = map (eval r' e a) args) by (intros; apply map_ext_in; auto).
    assert (FO : forall f, In f args -> forall l m, fold_left (fun m x => eval r x m f) l m = fold_left (fun m x => eval r' x m f) l m).
    { intros g F l; induction l; cbn; auto. intros; rewrite X; auto. }
    clear H C. destruct o; cbn [run in_order]; rewrite ?M; auto; try discriminate; destruct args as [|x [|y [|z [|]]]]; auto; cbn [In] in *;
      rewrite ?(X x), ?(X y), ?(X z) by tauto; auto; try (apply E; apply negb_true_iff, String.eqb_neq in O; congruence).
    + f_equal. apply map_ext. intros; apply X; auto.
    + f_equal. apply filter_ext. intros; f_equal. apply X; auto.
    + f_equal. apply filter_ext. intros v. now rewrite (X x) by tauto.
    + f_equal. apply map_ext. intros. do 3 f_equal. apply FO. auto.
Qed.
(** Each definition may call those after it. *)
Fixpoint with_functions (ds : list existence) (r : env) : env := match ds with
  | [] => r
  | d :: ds => let r' := with_functions ds r in fun x u => match x with
      | App f ts vs => if String.eqb f (ex_name d) && list_eqb ty_eqb ts (ex_takes d) && ty_eqb u TBool then VBool (ex_value r' d vs) else r' x u
      | _ => r' x u end
  end.
Fixpoint ordered (ds : list existence) : bool := match ds with
  | [] => true
  | d :: l => forallb (fun e => calls_no (ex_name d) (ex_where e)) (d :: l) && negb (existsb (fun e => String.eqb (ex_name e) (ex_name d)) l) && ordered l end.
Lemma with_functions_typed ds r : typed r -> typed (with_functions ds r).
Proof.
  intros R. induction ds as [|d ds IH]; cbn [with_functions]; auto. intros x u. destruct x; try apply IH. destruct (_ && _) eqn:E; [|apply IH].
  rewrite !andb_true_iff in E. destruct E as [_ E]. apply ty_eqb_eq in E. now subst.
Qed.
Lemma with_functions_same ds r x u : is_app x = false -> with_functions ds r x u = r x u.
Proof. intros A. induction ds as [|d ds IH]; cbn [with_functions]; auto. destruct x; auto. discriminate. Qed.
Lemma ex_value_except f r r' d vs : except f r r' -> calls_no f (ex_where d) = true -> ex_value r d vs = ex_value r' d vs.
Proof.
  intros E C. unfold ex_value. assert (CH : choices r (ex_over d) = choices r' (ex_over d)).
  { induction (ex_over d) as [|[t u] l IH]; cbn [choices]; auto. rewrite (E (N t) (TBag u) I), IH. reflexivity. }
  rewrite CH. clear CH. induction (choices r' (ex_over d)) as [|ys l IH]; cbn [existsb]; auto. rewrite IH. f_equal. f_equal. apply (calls_no_ext f); auto.
  intros x u X. unfold bound. destruct x; try (now apply E). destruct (nth_error _ i) as [w|]; [|now apply E]. destruct (nth_error _ i) as [v|]; [|now apply E].
  destruct (ty_eqb w u); [reflexivity|now apply E].
Qed.
Lemma with_functions_knows ds r : ordered ds = true -> knows_ex ds (with_functions ds r).
Proof.
  induction ds as [|d ds IH]; cbn [ordered]; intros O; [intros x []|]. rewrite !andb_true_iff in O. destruct O as [[C N] O]. specialize (IH O). apply negb_true_iff in N.
  assert (E : except (ex_name d) (with_functions (d :: ds) r) (with_functions ds r)).
  { intros x u X. cbn [with_functions]. destruct x; auto. destruct (String.eqb_spec f (ex_name d)); [contradiction|reflexivity]. }
  rewrite forallb_forall in C. intros e I vs V. rewrite (ex_value_except (ex_name d) _ (with_functions ds r) e vs E (C e I)). destruct I as [<-|I]; cbn [with_functions].
  - now rewrite String.eqb_refl, (proj2 (tys_eqb_eq _ _) eq_refl), ty_eqb_refl.
  - destruct (String.eqb (ex_name e) (ex_name d)) eqn:X; [|exact (IH e I vs V)]. rewrite (proj2 (existsb_exists _ _)) in N; [discriminate|eauto].
Qed.
Definition of_kinds_b (ks : list Q.kind) (r : Q.row) : bool := all2 of_kind ks r.
Lemma of_kinds_b_ok ks r : of_kinds_b ks r = true <-> of_kinds ks r.
Proof.
  unfold of_kinds_b, of_kinds. revert r; induction ks as [|k ks IH]; intros [|v r]; cbn; split; intros H; try discriminate; auto; try (inversion H; fail).
  - apply andb_true_iff in H as [A B]. constructor; auto. now apply IH. - inversion H; subst. apply andb_true_iff. split; auto. now apply IH.
Qed.
Definition of_every (rows : list Q.row) (ks : list Q.kind) : list Q.row := nodup Q.row_eq_dec (filter (of_kinds_b ks) rows).
Definition tables_and_rows (s : Q.schema) (d : Q.database) (rows : list Q.row) : env := fun x u => match x with
  | N t => if is_table t then env_of s d x u else
      if ty_eqb u (TBag (row_ty (kinds_named t))) then bag (map (enc (kinds_named t)) (of_every rows (kinds_named t))) else default u
  | _ => default u end.
Lemma tables_and_rows_typed s d rows : typed (tables_and_rows s d rows).
Proof.
  intros x u. unfold tables_and_rows. destruct x; try apply default_typed. destruct (is_table s0); [apply env_typed|]. destruct (ty_eqb u _) eqn:E; [|apply default_typed].
  apply ty_eqb_eq in E. subst. apply has_type_bag_of, Forall_map, Forall_forall. intros r _. apply enc_typed.
Qed.

Lemma every_no_table ks : is_table (every ks) = false.
Proof. unfold is_table, every. cbn [String.append String.prefix]. now destruct (fold_right _ _ _). Qed.

(** ** The theorem *)
Definition check_forms (fuel : nat) (s : Q.schema) (cs : list Q.constraint) (p q : Q.query) (by_ : form_proof) : bool :=
  let ds := functions by_ in
  forallb defined_ok ds && ordered ds && forallb (fun t => is_table (fst t)) s &&
  match form ds s fuel [] [] p, form ds s fuel [] [] q with
  | Some (ms, ks), Some (ns, js) => list_eqb kind_eqb ks js && same_bags_by ds s fuel cs ks ms ns by_
  | _, _ => false end.
Theorem forms_sound fuel s cs p q by_ : check_forms fuel s cs p q by_ = true -> Q.same_answers_under s cs p q.
Proof.
  unfold check_forms. cbv zeta. set (ds := functions by_). rewrite !andb_true_iff. intros [[[OK OR] TS] C] d CO CS.
  destruct (form ds s fuel [] [] p) as [[ms ks]|] eqn:P; [|discriminate]. destruct (form ds s fuel [] [] q) as [[ns js]|] eqn:Q'; [|discriminate].
  apply andb_true_iff in C as [K C]. apply kinds_eqb_eq in K. subst js.
  set (rows := flat_map (Q.answer d []) (distincts p ++ distincts q)). set (r0 := tables_and_rows s d rows). set (en := with_functions ds r0).
  assert (EN : typed en) by (apply with_functions_typed, tables_and_rows_typed). assert (KN : knows_ex ds en) by (now apply with_functions_knows).
  assert (TAB : forall t cs, lookup s t = Some cs -> Permutation (elements (en (N t) (TBag (table_ty cs)))) (map (fun r => VTup (stored_row cs r)) (d t))).
  { intros t cols L. unfold en. rewrite with_functions_same by reflexivity. unfold r0, tables_and_rows. assert (T : is_table t = true).
    { unfold lookup in L. destruct (find _ s) as [x|] eqn:F; [|discriminate]. apply find_some in F as [F1 F2]. apply String.eqb_eq in F2. subst t. rewrite forallb_forall in TS. exact (TS x F1). }
    rewrite T. unfold env_of. rewrite L, ty_eqb_refl. apply elements_bag. }
  assert (EQ : forall ks, Permutation (elements (en (N (every ks)) (TBag (row_ty ks)))) (map (enc ks) (of_every rows ks))).
  { intros l. unfold en. rewrite with_functions_same by reflexivity. unfold r0, tables_and_rows. rewrite every_no_table, kinds_every, ty_eqb_refl. apply elements_bag. }
  assert (EVERY : forall ks, exists us, NoDup us /\ Forall (of_kinds ks) us /\ Permutation (elements (en (N (every ks)) (TBag (row_ty ks)))) (map (enc ks) us)).
  { intros l. exists (of_every rows l). split; [apply NoDup_nodup|]. split; [|apply EQ]. apply Forall_forall. intros r R. apply nodup_In, filter_In in R as [_ R]. now apply of_kinds_b_ok. }
  assert (BIG : forall x, (x = p \/ x = q) -> big d en [] x).
  { intros x X y row l Y R KR. apply (Permutation_in _ (Permutation_sym (EQ l))). apply in_map. apply nodup_In, filter_In. split; [|now apply of_kinds_b_ok].
    unfold rows. apply in_flat_map. exists y. split; auto. apply in_app_iff. destruct X; subst; auto. }
  destruct (compiled_ok ds s d en EN KN CO TAB EVERY fuel) as [FO _].
  destruct (FO [] [] [] [] p ms ks (BIG p (or_introl eq_refl)) (Forall2_nil _) (fun _ _ => Forall2_nil _) P) as [U1 M1].
  destruct (FO [] [] [] [] q ns ks (BIG q (or_intror eq_refl)) (Forall2_nil _) (fun _ _ => Forall2_nil _) Q') as [U2 M2].
  pose proof (means_outs en EN ms ks _ M1 U1) as O1. pose proof (means_outs en EN ns ks _ M2 U2) as O2.
  pose proof (same_bags_ok ds s d en fuel cs EN KN OK CO CS TAB EVERY ks ms ns by_ C) as S.
  apply (enc_permutation ks); [now apply (row_kinds_all en EN ms)|now apply (row_kinds_all en EN ns)|]. rewrite O1, S. now symmetry.
Qed.
Theorem forms_sound_always fuel s p q by_ : check_forms fuel s [] p q by_ = true -> Q.same_answers s p q.
Proof. intros C d CO. exact (forms_sound _ _ _ _ _ _ C d CO (Forall_nil _)). Qed.
