(** * ORDER: a fold has one value in every order of its elements

    By induction over the elements: an invariant of its states, under which any two elements may change places.  By key, the
    elements are the values of one arbitrary key.  Aggregates inside the fold count as arbitrary values. *)
From Tallystick Require Export Runs Congruence.

(** ** The premises *)

(** A fold ([key = None]) or by-key fold ([key = Some k], [k] the type of keys) over a bag with these monomials. *)
Record opened := { key : option ty; st : ty; et : ty; start_ : term; body : term; over_ : term; ms : list mono }.
Definition read_open (t : term) : option opened := match t with
  | Op Fold [i; f; b] => match type t, type b, monomials b with
      | Some s, Some (TBag u), Some ms => Some {| key := None; st := s; et := u; start_ := i; body := f; over_ := b; ms := ms |}
      | _, _, _ => None end
  | Op FoldByKey [i; f; b] => match type t, type b, monomials b with
      | Some (TBag (TTup [_; s])), Some (TBag (TTup [k; u])), Some ms =>
          Some {| key := Some k; st := s; et := u; start_ := i; body := f; over_ := b; ms := ms |}
      | _, _, _ => None end
  | _ => None
  end.
Definition key_type (d : opened) := match key d with Some k => k | None => TInt end.
Definition source_type (d : opened) := match key d with Some k => TTup [k; et d] | None => et d end.

(** Whether a monomial gives an element, and which. *)
Definition case (d : opened) (m : mono) : term * term := match key d with
  | None => (conj [present m; tt'], result m)
  | Some k => (conj [present m; eq' (proj (result m) 0) (Var (Any 0) k)], proj (result m) 1)
  end.
Definition element_name (d : opened) (n : nat) := Var (Any n) (et d).
Definition is_case (d : opened) (n : nat) (c : term * term) := conj [fst c; eq' (element_name d n) (snd c)].
Definition element (d : opened) (n : nat) (ms : list mono) : term * term := match map (case d) ms with
  | [c] => c
  | cs => (disj (map (is_case d n) cs), element_name d n)
  end.
Definition add_slot (s : slot) (l : list slot) := if existsb (slot_eqb s) l then l else s :: l.
(** The slots of all summands; those of a second element are numbered after them. *)
Definition all_slots (d : opened) : list slot := fold_right add_slot [] (flat_map slots (ms d)).
Definition first_element (d : opened) := element d 1 (ms d).
Definition second_element (d : opened) := element d 2 (map (fun o => put_mono (beside (all_slots d) o) o) (ms d)).
Definition step_of (d : opened) (state y : term) := apply (Some y) (Some state) (body d).
Definition holds_at (d : opened) (M : name) (inv : term) (state : term) := substitute (replace (Var M (st d)) state) inv.
Definition either_order (d : opened) (state : term) (y z : term) :=
  eq' (step_of d (step_of d state y) z) (step_of d (step_of d state z) y).
Definition initial (d : opened) (M : name) (inv : term) := holds_at d M inv (start_ d).
Definition preserved (d : opened) (M : name) (inv : term) := let e := first_element d in
  implies (conj [inv; fst e]) (holds_at d M inv (step_of d (Var M (st d)) (snd e))).
Definition commutes (d : opened) (M : name) (inv : term) := let e1 := first_element d in let e2 := second_element d in
  implies (conj [inv; fst e1; fst e2]) (either_order d (Var M (st d)) (snd e1) (snd e2)).
Definition order_premises (d : opened) (M : name) (inv : term) : list term := [initial d M inv; preserved d M inv; commutes d M inv].

(** [Any 0] is a key, [Any 1] and [Any 2] are elements, [Any 3] is another state (PARTITION). *)
Definition no_any (t : term) := negb (occurs (Any 0) t || occurs (Any 1) t || occurs (Any 2) t || occurs (Any 3) t).
Definition apart (M : name) (t : term) := no_any t && negb (occurs M t).
Definition order_ok_for (t : term) (d : opened) (M : name) (inv : term) : bool :=
  plain t && plain inv && is (type inv) TBool && stands M && negb (existsb (name_eqb M) [Any 0; Any 1; Any 2; Any 3]) &&
  numbered (all_slots d) && no_any inv &&
  forallb (apart M) (start_ d :: body d :: flat_map (fun m => [present m; result m]) (ms d)).

(** ** Soundness *)
Lemma all_slots_in d m s : In m (ms d) -> In s (slots m) -> In s (all_slots d).
Proof.
  intros M S. unfold all_slots. assert (I : In s (flat_map slots (ms d))) by (apply in_flat_map; eauto).
  induction (flat_map slots (ms d)) as [|t l IH]; [destruct I|]. cbn [fold_right]. unfold add_slot at 1.
  destruct (existsb (slot_eqb t) (fold_right add_slot [] l)) eqn:E.
  - destruct I as [<-|I]; auto. apply existsb_exists in E as (u & U & E). apply slot_eqb_eq in E. now subst.
  - destruct I as [<-|I]; [now left|right; auto].
Qed.
Lemma covered_all d m t : In m (ms d) -> covered (slots m) t = true -> covered (all_slots d) t = true.
Proof.
  intros M. induction t using term_ind'; cbn; auto.
  - destruct x; auto. rewrite !existsb_exists. intros (s & I & E). exists s. split; auto. now apply (all_slots_in d m).
  - rewrite !forallb_forall. rewrite Forall_forall in H. auto.
Qed.

Lemma no_any_ok u : no_any u = true -> forall i, (i < 4)%nat -> occurs (Any i) u = false.
Proof. intros U i I. unfold no_any in U. apply negb_true_iff in U. rewrite !orb_false_iff in U. destruct i as [|[|[|[|]]]]; try tauto; lia. Qed.
Lemma apart_ok M u : apart M u = true -> occurs M u = false /\ forall i, (i < 4)%nat -> occurs (Any i) u = false.
Proof. unfold apart. rewrite andb_true_iff, negb_true_iff. intros [A B]. split; auto using no_any_ok. Qed.

Section OrderSound.
  Variables (t : term) (d : opened) (M : name) (inv : term) (r : env).
  Hypothesis R : typed r.
  Hypothesis OK : order_ok_for t d M inv = true.
  Hypothesis TB : Forall (well (source_type d)) (ms d) /\ Forall indexed (ms d) /\
    Permutation (elements (meaning r (over_ d))) (flat_map (outs r r) (ms d)).
  Hypothesis TS : type (start_ d) = Some (st d).
  Hypothesis TF : typeof (Some (et d)) (Some (st d)) (body d) = Some (st d).
  Hypothesis PF : plain (body d) = true.
  Hypothesis VP : valid (preserved d M inv).
  Hypothesis VC : valid (commutes d M inv).

  Definition value_of (p : val) := match key d with None => p | Some _ => component 1 p end.
  Definition has_key (kv p : val) := match key d with None => True | Some _ => component 0 p = kv end.
  Definition J (a : val) := toB (meaning (set r M (st d) a) inv) = true.
  Definition G (m x : val) := eval r x m (body d).
  Variable kv : val.
  Hypothesis TK : has_type kv (key_type d).
  Definition Q (y : val) := exists s m p, typed s /\ agree r s /\ In m (ms d) /\ out s m = [p] /\ has_key kv p /\ y = value_of p.

  Lemma facts_of : plain t = true /\ plain inv = true /\ bool_term inv /\ stands M = true /\
    (forall i, (i < 4)%nat -> name_eqb M (Any i) = false) /\ numbered (all_slots d) = true /\ (forall i, (i < 4)%nat -> occurs (Any i) inv = false) /\
    (forall u, In u (start_ d :: body d :: flat_map (fun m => [present m; result m]) (ms d)) -> occurs M u = false /\ forall i, (i < 4)%nat -> occurs (Any i) u = false).
  Proof.
    unfold order_ok_for in OK. rewrite !andb_true_iff in OK. destruct OK as (((((((A1 & A2) & A3) & A4) & A5) & A6) & A7) & A8).
    apply is_eq in A3. apply negb_true_iff in A5.
    repeat split; auto using no_any_ok.
    - intros i I. cbn [existsb] in A5. rewrite !orb_false_iff in A5. destruct i as [|[|[|[|]]]]; try tauto; lia.
    - rewrite forallb_forall in A8. exact (proj1 (apart_ok _ _ (A8 u H))).
    - rewrite forallb_forall in A8. exact (proj2 (apart_ok _ _ (A8 u H))).
  Qed.

  (** The environment of two elements: of [s1], named [y1], and of [s2], named [y2], from the state [a]; [n] is another. *)
  Definition base (a n y1 y2 : val) : env :=
    set (set (set (set (set r M (st d) a) (Any 0) (key_type d) kv) (Any 1) (et d) y1) (Any 2) (et d) y2) (Any 3) (st d) n.
  Definition two (a n y1 y2 : val) (s1 s2 : env) : env := both (all_slots d) (base a n y1 y2) s1 s2.
  Lemma base_other a n y1 y2 x u : name_eqb x M && ty_eqb u (st d) = false -> (forall i, (i < 4)%nat -> name_eqb x (Any i) = false) -> base a n y1 y2 x u = r x u.
  Proof. intros N A. unfold base, set. rewrite (A 3%nat), (A 2%nat), (A 1%nat), (A 0%nat), N by lia. reflexivity. Qed.
  Lemma base_term a n y1 y2 u : occurs M u = false -> (forall i, (i < 4)%nat -> occurs (Any i) u = false) ->
    forall x k, uses x k u = true -> base a n y1 y2 x k = r x k.
  Proof.
    intros O A x k U. apply uses_occurs in U. apply base_other.
    - destruct (name_eqb x M) eqn:E; auto. apply name_eqb_eq in E. congruence.
    - intros i I. destruct (name_eqb x (Any i)) eqn:E; auto. apply name_eqb_eq in E. specialize (A i I). congruence.
  Qed.
  Lemma base_typed a n y1 y2 : has_type a (st d) -> has_type n (st d) -> has_type y1 (et d) -> has_type y2 (et d) -> typed (base a n y1 y2).
  Proof. intros A N B C. unfold base. repeat apply set_typed; auto. Qed.
  Lemma base_names a n y1 y2 : base a n y1 y2 M (st d) = a /\ base a n y1 y2 (Any 0) (key_type d) = kv /\
    base a n y1 y2 (Any 1) (et d) = y1 /\ base a n y1 y2 (Any 2) (et d) = y2 /\ base a n y1 y2 (Any 3) (st d) = n.
  Proof.
    destruct facts_of as (_ & _ & _ & _ & N & _). unfold base, set. rewrite (N 0%nat), (N 1%nat), (N 2%nat), (N 3%nat) by lia.
    rewrite (proj2 (name_eqb_eq M M) eq_refl). cbn [name_eqb Nat.eqb andb]. rewrite !ty_eqb_refl. cbn [andb]. auto 6.
  Qed.
  Lemma J_base a n y1 y2 : toB (meaning (base a n y1 y2) inv) = true <-> J a.
  Proof.
    destruct facts_of as (_ & _ & _ & _ & _ & _ & A & _). unfold J.
    rewrite (meaning_ext (base a n y1 y2) (set r M (st d) a) inv); [tauto|]. intros x u U. apply uses_occurs in U.
    unfold base, set. 
    assert (X : forall i, (i < 4)%nat -> name_eqb x (Any i) = false).
    { intros i I. destruct (name_eqb x (Any i)) eqn:E; auto. apply name_eqb_eq in E. specialize (A i I). congruence. }
    rewrite (X 3%nat), (X 2%nat), (X 1%nat), (X 0%nat) by lia. reflexivity.
  Qed.

  Lemma case_ok b m p : typed b -> well (source_type d) m -> out b m = [p] -> has_key (b (Any 0) (key_type d)) p ->
    bool_term (fst (case d m)) /\ type (snd (case d m)) = Some (et d) /\ toB (meaning b (fst (case d m))) = true /\ meaning b (snd (case d m)) = value_of p.
  Proof.
    intros B [W1 W2] O K. unfold out in O. destruct (toB (meaning b (present m))) eqn:PR; [|discriminate]. inversion O; subst p. clear O.
    unfold case, value_of, has_key, source_type, key_type in *. destruct (key d) as [k|]; cbn [fst snd].
    - destruct (eq_ok b (proj (result m) 0) (Var (Any 0) k) k B) as [E1 E2]; [now apply (proj_type _ 0 [k; et d])|reflexivity|].
      destruct (conj_list_ok b [present m; eq' (proj (result m) 0) (Var (Any 0) k)] B) as [C1 C2]; [repeat constructor; auto|].
      split; [exact C1|]. split; [now apply (proj_type _ 1 [k; et d])|]. split; [|apply m_proj].
      rewrite C2. cbn [map forallb]. rewrite PR, E2, m_proj, K. unfold meaning; cbn [run]. now rewrite veqb_refl.
    - destruct (conj_list_ok b [present m; tt'] B) as [C1 C2]; [repeat constructor; auto|].
      split; [exact C1|]. split; [exact W1|]. split; auto. rewrite C2. cbn [map forallb]. now rewrite PR.
  Qed.
  Lemma case_typed b m : typed b -> well (source_type d) m -> bool_term (fst (case d m)) /\ type (snd (case d m)) = Some (et d).
  Proof.
    intros B [W1 W2]. unfold case, source_type in *. destruct (key d) as [k|]; cbn [fst snd].
    - destruct (eq_ok b (proj (result m) 0) (Var (Any 0) k) k B) as [E1 E2]; [now apply (proj_type _ 0 [k; et d])|reflexivity|].
      split; [apply (conj_list_ok b [present m; eq' (proj (result m) 0) (Var (Any 0) k)] B); repeat constructor; auto|].
      now apply (proj_type _ 1 [k; et d]).
    - split; auto. apply (conj_list_ok b [present m; tt'] B). repeat constructor; auto.
  Qed.
  Lemma element_ok b n ms' m p : typed b -> Forall (well (source_type d)) ms' -> In m ms' -> out b m = [p] ->
    has_key (b (Any 0) (key_type d)) p -> b (Any n) (et d) = value_of p -> let e := element d n ms' in
    bool_term (fst e) /\ type (snd e) = Some (et d) /\ toB (meaning b (fst e)) = true /\ meaning b (snd e) = value_of p.
  Proof.
    intros B W I O K Y e.
    assert (GEN : forall cs, cs = map (case d) ms' -> let e := (disj (map (is_case d n) cs), element_name d n) in
      bool_term (fst e) /\ type (snd e) = Some (et d) /\ toB (meaning b (fst e)) = true /\ meaning b (snd e) = value_of p).
    { intros cs -> e'. unfold e'; cbn [fst snd]. rewrite map_map.
      assert (IC : forall o, In o ms' -> bool_term (is_case d n (case d o)) /\
         toB (meaning b (is_case d n (case d o))) = toB (meaning b (fst (case d o))) && veqb (value_of p) (meaning b (snd (case d o)))).
      { intros o IO. rewrite Forall_forall in W. destruct (case_typed b o B (W o IO)) as [T1 T2].
        destruct (eq_ok b (element_name d n) (snd (case d o)) (et d) B eq_refl T2) as [E1 E2].
        destruct (conj_list_ok b [fst (case d o); eq' (element_name d n) (snd (case d o))] B) as [C1 C2]; [repeat constructor; auto|].
        split; [exact C1|]. unfold is_case. rewrite C2. cbn [map forallb]. rewrite E2, andb_true_r. unfold meaning at 2; cbn [run element_name]. now rewrite Y. }
      destruct (disj_list_ok b (map (fun o => is_case d n (case d o)) ms') B) as [D1 D2].
      { apply Forall_map, Forall_forall. intros o IO. now apply IC. }
      split; [exact D1|]. split; [reflexivity|]. split; [|unfold meaning; cbn [run]; exact Y].
      rewrite D2. apply existsb_exists. exists (meaning b (is_case d n (case d m))). split; [now apply in_map, (in_map (fun o => is_case d n (case d o)))|].
      rewrite (proj2 (IC m I)). rewrite Forall_forall in W. destruct (case_ok b m p B (W m I) O K) as (_ & _ & C3 & C4). rewrite C3, C4. cbn [andb]. apply veqb_refl. }
    unfold e, element. destruct (map (case d) ms') as [|c [|c' cs]] eqn:E; try (apply GEN; reflexivity).
    destruct ms' as [|m' [|]]; try discriminate. inversion E; subst c. destruct I as [->|[]]. inversion W; subst. now apply case_ok.
  Qed.

  Lemma Q_typed y : Q y -> has_type y (et d).
  Proof.
    intros (s & m & p & S1 & S2 & S3 & S4 & _ & ->). destruct TB as (W & _ & _). rewrite Forall_forall in W. destruct (W m S3) as [W1 W2].
    unfold out in S4. destruct (toB (meaning s (present m))); [|discriminate]. inversion S4; subst p.
    pose proof (typed_meaning s _ _ S1 W1) as T. unfold value_of, source_type in *. destruct (key d); auto. now apply (pair_typed _ t0 (et d)).
  Qed.
  Lemma two_ok a n y1 y2 s1 s2 m1 m2 p1 p2 : has_type a (st d) -> has_type n (st d) -> typed s1 -> typed s2 -> agree r s1 -> agree r s2 -> In m1 (ms d) -> In m2 (ms d) ->
    out s1 m1 = [p1] -> out s2 m2 = [p2] -> has_key kv p1 -> has_key kv p2 -> y1 = value_of p1 -> y2 = value_of p2 ->
    let b := two a n y1 y2 s1 s2 in let e1 := first_element d in let e2 := second_element d in
    typed b /\ b M (st d) = a /\ b (Any 3) (st d) = n /\ (toB (meaning b inv) = true <-> J a) /\
    (forall u, plain u = true -> apart M u = true -> forall x m, eval b x m u = eval r x m u) /\
    (bool_term (fst e1) /\ type (snd e1) = Some (et d) /\ toB (meaning b (fst e1)) = true /\ meaning b (snd e1) = y1) /\
    (bool_term (fst e2) /\ type (snd e2) = Some (et d) /\ toB (meaning b (fst e2)) = true /\ meaning b (snd e2) = y2).
  Proof.
    intros A TN T1 T2 A1 A2 I1 I2 O1 O2 K1 K2 -> -> b e1 e2.
    assert (Y1 : has_type (value_of p1) (et d)) by (apply Q_typed; exists s1, m1, p1; auto 10).
    assert (Y2 : has_type (value_of p2) (et d)) by (apply Q_typed; exists s2, m2, p2; auto 10).
    set (y1 := value_of p1) in *. set (y2 := value_of p2) in *. pose proof (base_typed a n y1 y2 A TN Y1 Y2) as BT.
    destruct facts_of as (_ & PI & _ & SM & NM & NU & AI & FR). apply stands_slot in SM. destruct (base_names a n y1 y2) as (B0 & B1 & B2 & B3 & B4).
    destruct TB as (W & X & _). assert (TT : typed b) by now apply both_typed.
    assert (NS : forall x u, is_slot x = false -> b x u = base a n y1 y2 x u) by (intros x u NX; unfold b, two, both; destruct x; auto; discriminate).
    assert (PART : forall m u, In m (ms d) -> In u [present m; result m] -> forall x k, uses x k u = true -> base a n y1 y2 x k = r x k).
    { intros m u IM IU. destruct (FR u) as [F1 F2]; [right; right; apply in_flat_map; eauto|]. now apply base_term. }
    pose proof (proj1 (Forall_forall _ _) W) as W'. pose proof (proj1 (Forall_forall _ _) X) as X'.
    split; [exact TT|]. split; [now rewrite NS|]. split; [now rewrite NS|]. split; [|split; [|split]].
    - unfold b, two. rewrite both_plain by auto. apply J_base.
    - intros f PLF AF x m. apply eval_ext. intros z u U. rewrite NS by exact (plain_occurs _ _ PLF _ U).
      destruct (apart_ok M f AF) as [F1 F2]. now apply (base_term a n y1 y2 f).
    - assert (OB : out b m1 = out s1 m1).
      { destruct (X' m1 I1) as [_ C1 C2 _].
        assert (U1 : forall u, In u [present m1; result m1] -> covered (slots m1) u = true -> meaning b u = meaning s1 u).
        { intros u IU CU. apply both_first; [now apply (covered_all d m1)|]. intros x k NX U. rewrite (PART m1 u I1 IU x k U). symmetry. now apply A1. }
        unfold out. now rewrite (U1 (present m1)), (U1 (result m1)) by (cbn; auto). }
      apply (element_ok b 1 (ms d) m1 p1); auto; try (now rewrite OB); rewrite NS by reflexivity; now rewrite ?B1, ?B2.
    - set (l := beside (all_slots d) m2).
      assert (OB : well (source_type d) (put_mono l m2) /\ out b (put_mono l m2) = out s2 m2).
      { destruct (X' m2 I2) as [N C1 C2 _]. destruct (W' m2 I2) as [W1 W2].
        assert (U2 : forall u, In u [present m2; result m2] -> forall x k, is_slot x = false -> uses x k u = true -> base a n y1 y2 x k = s2 x k).
        { intros u IU x k NX U. rewrite (PART m2 u I2 IU x k U). symmetry. now apply A2. }
        destruct (both_second (all_slots d) (base a n y1 y2) s1 s2 BT T1 T2 NU m2 (present m2) TBool N C1 W2) as [Q1 Q2]; [apply U2; cbn; auto|].
        destruct (both_second (all_slots d) (base a n y1 y2) s1 s2 BT T1 T2 NU m2 (result m2) (source_type d) N C2 W1) as [Q3 Q4]; [apply U2; cbn; auto|].
        change (both (all_slots d) (base a n y1 y2) s1 s2) with b in Q2, Q4. fold l in Q1, Q2, Q3, Q4. split; [split; auto|]. unfold out, put_mono; cbn [present result]. now rewrite Q2, Q4. }
      destruct OB as [_ OB].
      apply (element_ok b 2 (map (fun o => put_mono (beside (all_slots d) o) o) (ms d)) (put_mono l m2) p2); auto.
      + apply Forall_map, Forall_forall. intros o IO. destruct (out_put (beside (all_slots d) o) b o (source_type d) TT (beside_typed _ o) (W' o IO)). auto.
      + now apply (in_map (fun o => put_mono (beside (all_slots d) o) o)).
      + now rewrite OB.
      + rewrite NS by reflexivity. now rewrite ?B1, ?B3.
  Qed.

  Lemma G_typed a y : has_type a (st d) -> Q y -> has_type (G a y) (st d).
  Proof. intros A Y. unfold G. eapply preservation; eauto. cbn. now apply Q_typed. Qed.
  (** The invariant with a term for the state. *)
  Lemma holds_ok b s k : typed b -> type s = Some (st d) -> meaning b s = k ->
    (forall x u, name_eqb x M && ty_eqb u (st d) = false -> uses x u inv = true -> b x u = r x u) ->
    bool_term (holds_at d M inv s) /\ (toB (meaning b (holds_at d M inv s)) = true <-> J k).
  Proof.
    intros B S <- E. destruct facts_of as (_ & PI & TI & SM & _). set (b' := set b M (st d) (meaning b s)).
    assert (B' : typed b') by (apply set_typed; auto; now apply typed_meaning).
    destruct (substitute_ok b' b (replace (Var M (st d)) s) B' B) with (t := inv) (ce := @None ty) (ca := @None ty) (u := TBool) as [S1 S2]; auto.
    - intros z w Z. unfold replace in Z. destruct (term_eqb z (Var M (st d))) eqn:Q'; [|discriminate]. inversion Z; subst. apply term_eqb_eq in Q'; subst.
      exists (st d). repeat split; auto. unfold meaning at 2; cbn [run]. unfold b', set. now rewrite (proj2 (name_eqb_eq _ _) eq_refl), ty_eqb_refl.
    - intros y u U N. unfold replace in N. unfold b', set. destruct N as [N|N]; [|destruct (name_eqb y M) eqn:Q'; auto; apply name_eqb_eq in Q'; subst; now rewrite (stands_app _ SM) in N]. destruct (name_eqb y M && ty_eqb u (st d)) eqn:Q'; auto. exfalso.
      cbn [term_eqb] in N. rewrite Q' in N. discriminate.
    - split; [exact S1|]. unfold holds_at. unfold meaning at 1. rewrite (S2 nothing nothing I I). fold (meaning b' inv). unfold J.
      rewrite (meaning_ext b' (set r M (st d) (meaning b s)) inv); [tauto|]. intros x u U. unfold b', set.
      destruct (name_eqb x M && ty_eqb u (st d)) eqn:N; auto.
  Qed.
  Lemma two_inv a n y1 y2 s1 s2 x u : name_eqb x M && ty_eqb u (st d) = false -> uses x u inv = true -> two a n y1 y2 s1 s2 x u = r x u.
  Proof.
    intros N U. destruct facts_of as (_ & PI & _ & _ & _ & _ & A & _). pose proof (plain_occurs _ _ PI u U) as NS.
    transitivity (base a n y1 y2 x u); [unfold two, both; destruct x; auto; discriminate|]. apply base_other; auto.
    intros i I. destruct (name_eqb x (Any i)) eqn:E; auto. apply name_eqb_eq in E. subst. apply uses_occurs in U. rewrite (A i I) in U. discriminate.
  Qed.
  Lemma step_ok b a y : typed b -> type a = Some (st d) -> type y = Some (et d) -> (forall x m, eval b x m (body d) = G m x) ->
    type (step_of d a y) = Some (st d) /\ meaning b (step_of d a y) = G (meaning b a) (meaning b y).
  Proof.
    intros B A Y E. rewrite <- E. apply (apply_ok b B (body d) (Some (et d)) (Some (st d))); cbn; auto; now apply typed_meaning.
  Qed.

  Lemma apart_body : apart M (body d) = true /\ apart M (start_ d) = true.
  Proof.
    unfold order_ok_for in OK. rewrite !andb_true_iff, forallb_forall in OK. split; apply OK; [right; left|left]; reflexivity.
  Qed.
  Lemma J_start : valid (initial d M inv) -> J (meaning r (start_ d)).
  Proof.
    intros V. destruct (holds_ok r (start_ d) (meaning r (start_ d)) R TS eq_refl) as [_ H]; [auto|]. apply H. apply (V r R).
  Qed.
  Lemma J_step a y : has_type a (st d) -> J a -> Q y -> J (G a y).
  Proof.
    intros A JA (s & m & p & S1 & S2 & S3 & S4 & S5 & E).
    destruct (two_ok a a y y s s m m p p A A S1 S1 S2 S2 S3 S3 S4 S4 S5 S5 E E) as (B & BM & _ & BI & BG & (F1 & F2 & F3 & F4) & _).
    specialize (BG (body d) PF (proj1 apart_body)). set (b := two a a y y s s) in *. destruct facts_of as (_ & PI & TI & _).
    destruct (step_ok b (Var M (st d)) (snd (first_element d)) B eq_refl F2 BG) as [T1 T2].
    destruct (holds_ok b _ _ B T1 T2) as [H1 H2]; [intros; now apply two_inv|].
    pose proof (VP b B) as W. unfold preserved in W. cbv zeta in W. destruct (conj_list_ok b [inv; fst (first_element d)] B) as [C1 C2]; [repeat constructor; auto|].
    rewrite (proj2 (implies_ok b _ _ B C1 H1)), C2 in W. cbn [map forallb] in W. rewrite (proj2 BI JA), F3 in W. cbn [andb implb] in W.
    apply H2 in W. rewrite F4 in W. unfold meaning in W at 1. cbn [run] in W. rewrite BM in W. exact W.
  Qed.
  Lemma commute_at a y z : has_type a (st d) -> J a -> Q y -> Q z -> G (G a y) z = G (G a z) y.
  Proof.
    intros A JA (s & m & p & S1 & S2 & S3 & S4 & S5 & E) (s' & m' & p' & S1' & S2' & S3' & S4' & S5' & E').
    destruct (two_ok a a y z s s' m m' p p' A A S1 S1' S2 S2' S3 S3' S4 S4' S5 S5' E E') as (B & BM & _ & BI & BG & (F1 & F2 & F3 & F4) & (G1 & G2 & G3 & G4)).
    specialize (BG (body d) PF (proj1 apart_body)). set (b := two a a y z s s') in *. destruct facts_of as (_ & PI & TI & _).
    set (e1 := first_element d) in *. set (e2 := second_element d) in *. set (M0 := Var M (st d)).
    assert (MM : meaning b M0 = a) by exact BM.
    destruct (step_ok b M0 (snd e1) B eq_refl F2 BG) as [T1 T2]. destruct (step_ok b M0 (snd e2) B eq_refl G2 BG) as [T3 T4].
    destruct (step_ok b _ (snd e2) B T1 G2 BG) as [T5 T6]. destruct (step_ok b _ (snd e1) B T3 F2 BG) as [T7 T8].
    destruct (eq_ok b _ _ (st d) B T5 T7) as [E1 E2].
    pose proof (VC b B) as W. unfold commutes in W. cbv zeta in W. fold e1 e2 M0 in W.
    destruct (conj_list_ok b [inv; fst e1; fst e2] B) as [C1 C2]; [repeat constructor; auto|].
    unfold either_order in W. rewrite (proj2 (implies_ok b _ _ B C1 E1)), C2, E2 in W. cbn [map forallb] in W. rewrite (proj2 BI JA), F3, G3 in W. cbn [andb implb] in W.
    apply veqb_eq in W. now rewrite T6, T8, T2, T4, F4, G4, MM in W.
  Qed.
  Theorem any_order_fold l l' : valid (initial d M inv) -> Forall Q l -> Permutation l l' -> fold_left G l (meaning r (start_ d)) = fold_left G l' (meaning r (start_ d)).
  Proof.
    intros VI F P. apply (fold_left_perm G Q (fun a => has_type a (st d) /\ J a)); auto.
    - intros a y [A1 A2] Y. split; [now apply G_typed|now apply J_step].
    - intros a y z [A1 A2] Y Z. now apply commute_at.
    - split; [now apply typed_meaning|now apply J_start].
  Qed.
End OrderSound.

Lemma read_open_ok t d : read_open t = Some d ->
  (t = Op Fold [start_ d; body d; over_ d] /\ key d = None \/ t = Op FoldByKey [start_ d; body d; over_ d] /\ key d <> None) /\
  type (start_ d) = Some (st d) /\ typeof (Some (et d)) (Some (st d)) (body d) = Some (st d) /\
  type (over_ d) = Some (TBag (source_type d)) /\ monomials (over_ d) = Some (ms d).
Proof.
  unfold read_open. destruct t as [| | | | | |o args]; try discriminate. destruct o; try discriminate; destruct args as [|i [|f [|b [|]]]]; try discriminate.
  - destruct (type (Op Fold [i; f; b])) as [s|] eqn:T; [|discriminate]. destruct (type b) as [[| | | | |u]|] eqn:B; try discriminate.
    destruct (monomials b) as [l|] eqn:E; [|discriminate]. intros [= <-]. cbn [start_ body over_ key st et ms source_type]. split; [left; auto|].
    unfold type in T, B. cbn [typeof] in T. rewrite B in T. destruct (typeof None None i) as [k|] eqn:I; [|discriminate].
    destruct (is _ k) eqn:F; [|discriminate]. inversion T; subst. apply is_eq in F. auto.
  - destruct (type (Op FoldByKey [i; f; b])) as [[| | | | |[| | | |[|k' [|s [|]]]|]]|] eqn:T; try discriminate.
    destruct (type b) as [[| | | | |[| | | |[|k [|u [|]]]|]]|] eqn:B; try discriminate.
    destruct (monomials b) as [l|] eqn:E; [|discriminate]. intros [= <-]. unfold source_type; cbn [start_ body over_ key st et ms]. split; [right; split; auto; discriminate|].
    unfold type in T, B. cbn [typeof] in T. rewrite B in T. destruct (typeof None None i) as [k0|] eqn:I; [|discriminate].
    destruct (is _ k0) eqn:F; [|discriminate]. inversion T; subst. apply is_eq in F. auto.
Qed.
Lemma plain_args o args x : plain (Op o args) = true -> In x args -> plain x = true.
Proof. cbn [plain]. rewrite forallb_forall. auto. Qed.
(** What is folded are elements in the sense of the premises; by key, the values of any key that occurs. *)
Lemma folded_elements t d r : typed r -> read_open t = Some d -> plain t = true ->
  plain (body d) = true /\ plain (start_ d) = true /\
  (Forall (well (source_type d)) (ms d) /\ Forall indexed (ms d) /\ Permutation (elements (meaning r (over_ d))) (flat_map (outs r r) (ms d))) /\
  (key d = None -> forall kv, Forall (Q d r kv) (elements (meaning r (over_ d)))) /\
  (key d <> None -> forall k, values_of_key k (elements (meaning r (over_ d))) <> [] ->
     has_type k (key_type d) /\ Forall (Q d r k) (values_of_key k (elements (meaning r (over_ d))))).
Proof.
  intros R RO PT. destruct (read_open_ok _ _ RO) as (SH & T1 & T2 & T3 & T4).
  assert (PP : plain (body d) = true /\ plain (start_ d) = true /\ plain (over_ d) = true).
  { destruct SH as [[-> _]|[-> _]]; repeat split; eapply plain_args; eauto; cbn; auto. }
  destruct PP as (PB & PS & PO). destruct (monomials_ok _ _ _ T4 T3 PO) as (W & X & P). specialize (P r R).
  assert (EL : forall p, In p (elements (meaning r (over_ d))) -> exists s m, typed s /\ agree r s /\ In m (ms d) /\ out s m = [p]).
  { intros p I. apply (Permutation_in _ P) in I. apply in_flat_map in I as (m & M' & I). unfold outs in I. apply in_flat_map in I as (s & S' & I).
    apply assign_spec in S' as (E1 & E2 & _); auto using agree_self. exists s, m. repeat split; auto. unfold out in *.
    destruct (toB (meaning s (present m))); [|destruct I]. destruct I as [<-|[]]. reflexivity. }
  split; [exact PB|]. split; [exact PS|]. split; [exact (Logic.conj W (Logic.conj X P))|]. split.
  - intros KN kv. apply Forall_forall. intros y Y. destruct (EL y Y) as (s & m & E1 & E2 & E3 & E4). exists s, m, y. unfold has_key, value_of. rewrite KN. auto 10.
  - intros KN k NE. destruct (key d) as [kt|] eqn:KD; [clear KN|congruence].
    assert (PR : forall v, In v (values_of_key k (elements (meaning r (over_ d)))) -> exists p, In p (elements (meaning r (over_ d))) /\ component 0 p = k /\ v = component 1 p).
    { intros v I. apply in_map_iff in I as (p & <- & I). apply filter_In in I as [I E]. apply veqb_eq in E. eauto. }
    split.
    + destruct (values_of_key k (elements (meaning r (over_ d)))) as [|v vs] eqn:EV; [congruence|].
      destruct (PR v (or_introl eq_refl)) as (p & I & <- & _). destruct (EL p I) as (s & m & E1 & _ & E3 & E4).
      rewrite Forall_forall in W. destruct (W m E3) as [W1 W2]. unfold out in E4. destruct (toB (meaning s (present m))); [|discriminate].
      inversion E4; subst p. pose proof (typed_meaning s _ _ E1 W1) as TP. unfold source_type, key_type in *. rewrite KD in *. now apply (pair_typed _ kt (et d)).
    + apply Forall_forall. intros y Y. destruct (PR y Y) as (p & I & E & ->). destruct (EL p I) as (s & m & E1 & E2 & E3 & E4).
      exists s, m, p. unfold has_key, value_of. rewrite KD. auto 10.
Qed.
Lemma ordered_open t d M inv r : typed r -> read_open t = Some d -> order_ok_for t d M inv = true ->
  (forall p, In p (order_premises d M inv) -> valid p) -> takes_any_order r t.
Proof.
  intros R RO OK V. destruct (read_open_ok _ _ RO) as (SH & T1 & T2 & T3 & T4).
  assert (PT : plain t = true) by (unfold order_ok_for in OK; rewrite !andb_true_iff in OK; tauto).
  destruct (folded_elements t d r R RO PT) as (PB & PS & TB & EL & EK).
  pose proof (V _ (or_introl eq_refl)) as V1. pose proof (V _ (or_intror (or_introl eq_refl))) as V2.
  pose proof (V _ (or_intror (or_intror (or_introl eq_refl)))) as V3.
  destruct SH as [[-> KN]|[-> KN]]; cbn [takes_any_order].
  - intros l PL. symmetry. now apply (any_order_fold _ d M inv r R OK TB T1 T2 PB V2 V3 (default (key_type d)) (default_typed _)); auto.
  - intros k l PL. symmetry. specialize (EK KN k). destruct (values_of_key k (elements (meaning r (over_ d)))) as [|v vs] eqn:EV.
    + apply Permutation_nil in PL. now subst.
    + destruct EK as [TK F]; [discriminate|]. now apply (any_order_fold _ d M inv r R OK TB T1 T2 PB V2 V3 k TK).
Qed.

(** ** Aggregates inside a fold count as arbitrary values *)
Fixpoint inside (t : term) : list term := match t with
  | Op o args => flat_map inside args ++ match o with Fold | FoldByKey | Distinct | Expand _ _ _ | Without => [t] | _ => [] end
  | _ => []
  end.
Fixpoint anyless (t : term) : bool := match t with Var (Any _) _ => false | Op _ args => forallb anyless args | _ => true end.
Fixpoint index_of (t : term) (l : list term) : option nat := match l with
  | [] => None | u :: l => if term_eqb t u then Some O else match index_of t l with Some i => Some (Datatypes.S i) | None => None end end.
Definition open_with (l : list term) (u : term) : option term := match index_of u l, type u with
  | Some i, Some k => Some (Var (Any (4 + i)) k) | _, _ => None end.
Definition open_env (r : env) (l : list term) : env := fun y u => match y with
  | Any (Datatypes.S (Datatypes.S (Datatypes.S (Datatypes.S i)))) => match nth_error l i with
      | Some w => if is (type w) u then meaning r w else r y u | None => r y u end
  | _ => r y u
  end.
Definition inner (t : term) : list term := match t with Op _ args => flat_map inside args | _ => [] end.
Definition opened_fold (t : term) : term := match t with Op o args => Op o (map (substitute (open_with (inner t))) args) | _ => t end.
(** What a certificate says for ORDER: the name of the state, and the invariant. *)
Definition ordered (fuel : nat) (t : term) (M : name) (inv : term) (evidence : list tree) : bool :=
  anyless t && match type t, read_open (opened_fold t) with
  | Some _, Some d => order_ok_for (opened_fold t) d M inv && discharged fuel (order_premises d M inv) evidence
  | _, _ => false
  end.

Lemma index_of_nth t l i : index_of t l = Some i -> nth_error l i = Some t.
Proof.
  revert i; induction l as [|u l IH]; cbn; [discriminate|]. intros i. destruct (term_eqb t u) eqn:E.
  - intros [= <-]. apply term_eqb_eq in E. now subst.
  - destruct (index_of t l) as [j|]; [|discriminate]. intros [= <-]. cbn. auto.
Qed.
Lemma open_typed r l : typed r -> typed (open_env r l).
Proof.
  intros R y u. unfold open_env. destruct y as [| | |[|[|[|[|i]]]]|]; try apply R. destruct (nth_error l i) as [w|]; [|apply R].
  destruct (is (type w) u) eqn:E; [|apply R]. apply is_eq in E. now apply typed_meaning.
Qed.
Lemma anyless_env r l t y u : anyless t = true -> uses y u t = true -> r y u = open_env r l y u.
Proof.
  intros A U. unfold open_env. destruct y as [| | |n|]; auto. exfalso. clear -A U. induction t using term_ind'; cbn in *; try discriminate.
  - apply andb_true_iff in U as [U _]. destruct x; discriminate.
  - rewrite andb_false_r in U. cbn [orb] in U. apply existsb_exists in U as (z & Z & U). rewrite forallb_forall in A. rewrite Forall_forall in H. eauto.
Qed.
Lemma open_same r l t : typed r -> anyless t = true -> forall ce ca, same ce ca r (open_env r l) t (substitute (open_with l) t).
Proof.
  intros R A. apply substitute_ok; auto using open_typed.
  - intros z w Z. unfold open_with in Z. destruct (index_of z l) as [i|] eqn:E; [|discriminate]. destruct (type z) as [k|] eqn:T; [|discriminate].
    inversion Z; subst. exists k. repeat split; auto. unfold meaning at 1; cbn [run]. unfold open_env. rewrite (index_of_nth _ _ _ E).
    cbn [Nat.add]. rewrite (proj2 (is_eq _ _) T). reflexivity.
  - intros y u U _. eapply anyless_env; eauto.
Qed.
Lemma fold_left_typed (f g : val -> val -> val) (P Q : val -> Prop) l : (forall a x, P a -> Q x -> f a x = g a x /\ P (f a x)) ->
  Forall Q l -> forall a, P a -> fold_left f l a = fold_left g l a.
Proof.
  intros H F. induction F as [|x l X F IH]; cbn; intros a A; auto. destruct (H a x A X) as [<- T]. now apply IH.
Qed.

(** What holds of the opened fold, whatever the values of what is inside, holds of the fold. *)
Section Opened.
  Variables (r : env) (l : list term) (i f b : term) (k u : ty).
  Hypothesis R : typed r.
  Hypotheses (Ai : anyless i = true) (Af : anyless f = true) (Ab : anyless b = true).
  Hypothesis Ti : type i = Some k.
  Hypothesis Tf : typeof (Some u) (Some k) f = Some k.
  Let r' := open_env r l.
  Let o := substitute (open_with l).
  Definition F (m x : val) := eval r x m f.
  Definition F' (m x : val) := eval r' x m (o f).
  Lemma start_same : meaning r' (o i) = meaning r i.
  Proof. destruct (open_same r l i R Ai None None k Ti) as [_ M]. exact (M nothing nothing I I). Qed.
  Lemma step_same m x : has_type m k -> has_type x u -> F' m x = F m x /\ has_type (F m x) k.
  Proof.
    intros M X. destruct (open_same r l f R Af (Some u) (Some k) k Tf) as [_ E]. split; [now apply E|].
    eapply preservation; eauto.
  Qed.
  Lemma folded_same ys m : Forall (fun y => has_type y u) ys -> has_type m k -> fold_left F' ys m = fold_left F ys m /\ has_type (fold_left F ys m) k.
  Proof.
    intros Y; revert m; induction Y as [|y ys TY Y IH]; intros m M; cbn [fold_left]; auto.
    destruct (step_same m y M TY) as [-> T]. now apply IH.
  Qed.
  (** Merging. *)
  Variable g : term.
  Hypothesis Ag : anyless g = true.
  Hypothesis Tg : typeof (Some k) (Some k) g = Some k.
  Definition H (m part : val) := eval r part m g.
  Definition H' (m part : val) := eval r' part m (o g).
  Lemma merge_same m p : has_type m k -> has_type p k -> H' m p = H m p /\ has_type (H m p) k.
  Proof.
    intros M X. destruct (open_same r l g R Ag (Some k) (Some k) k Tg) as [_ E]. split; [now apply E|].
    eapply preservation; eauto.
  Qed.
  Lemma partitions_same z parts m : has_type z k -> has_type m k -> Forall (Forall (fun y => has_type y u)) parts ->
    fold_left H' (map (fun part => fold_left F' part z) parts) m = fold_left H (map (fun part => fold_left F part z) parts) m.
  Proof.
    intros Z M P; revert m M; induction P as [|p parts TP P IH]; intros m M; cbn [map fold_left]; auto.
    destruct (folded_same p z TP Z) as [-> T]. destruct (merge_same m _ M T) as [-> T']. now apply IH.
  Qed.
  Lemma parts_same z ys v : has_type z k -> in_parts F H z ys v -> Forall (fun y => has_type y u) ys -> in_parts F' H' z ys v /\ has_type v k.
  Proof.
    intros Z P. induction P as [ys N|ys ws a c _ IHa _ IHc]; intros Y.
    - destruct (folded_same ys z Y Z) as [E T]. rewrite <- E at 1. split; [now constructor|exact T].
    - apply Forall_app in Y as [Y1 Y2]. destruct (IHa Y1) as [A1 A2]. destruct (IHc Y2) as [C1 C2].
      destruct (merge_same a c A2 C2) as [E T]. rewrite <- E at 1. split; [now constructor|exact T].
  Qed.
End Opened.

Lemma values_typed k kt u l : Forall (fun y => has_type y (TTup [kt; u])) l -> Forall (fun y => has_type y u) (values_of_key k l).
Proof.
  intros TE. apply Forall_forall. intros v V. apply in_map_iff in V as (p & <- & P). apply filter_In in P as [P _].
  rewrite Forall_forall in TE. now apply (pair_typed p kt), TE.
Qed.
(** A function that merges results of a fold. *)
Definition merge_fits (t g : term) : bool := anyless g && match t with
  | Op _ (i :: _) => match type i with Some k => is (typeof (Some k) (Some k) g) k | None => false end | _ => false end.
Definition opened_merge (t : term) : option term -> option term := option_map (substitute (open_with (inner t))).
Theorem opened_one_value r t merge : typed r -> anyless t = true -> type t <> None ->
  (forall g, merge = Some g -> merge_fits t g = true) ->
  has_one_value (open_env r (inner t)) (opened_fold t) (opened_merge t merge) -> has_one_value r t merge.
Proof.
  intros R A TT MF TO. set (l := inner t) in *. unfold opened_merge in TO. fold l in TO.
  destruct t as [| | | | | |o args]; try (destruct merge; exact I). cbn [opened_fold] in TO. fold l in TO.
  destruct o; try (destruct merge; exact I); destruct args as [|i [|f [|b [|]]]]; try (destruct merge; exact I); cbn [map] in TO; cbn [anyless forallb] in A; rewrite !andb_true_iff in A;
    destruct A as (Ai & Af & Ab & _); unfold type in TT; cbn [typeof] in TT.
  - destruct (typeof None None i) as [k|] eqn:Ti; [|now destruct TT]. destruct (typeof None None b) as [[| | | | |u]|] eqn:Tb; try (now destruct TT).
    destruct (is (typeof (Some u) (Some k) f) k) eqn:Tf; [|now destruct TT]. apply is_eq in Tf.
    destruct (open_same r l b R Ab None None _ Tb) as [_ Mb]. specialize (Mb nothing nothing I I).
    fold (meaning r b) (meaning (open_env r l) (substitute (open_with l) b)) in Mb.
    pose proof (start_same r l i k R Ai Ti) as Mi. pose proof (typed_meaning r i k R Ti) as TZ.
    pose proof (has_type_elements _ _ (typed_meaning r b _ R Tb)) as TE.
    assert (WH : meaning (open_env r l) (Op Fold (map (substitute (open_with l)) [i; f; b])) = meaning r (Op Fold [i; f; b])).
    { change (fold_left (F' r l f) (elements (meaning (open_env r l) (substitute (open_with l) b))) (meaning (open_env r l) (substitute (open_with l) i))
        = fold_left (F r f) (elements (meaning r b)) (meaning r i)). rewrite Mb, Mi. now apply (folded_same r l f k u). }
    cbn [map] in WH. destruct merge as [g|]; cbn [has_one_value option_map takes_any_parts takes_any_order] in TO |- *.
    + intros parts P. specialize (MF g eq_refl). unfold merge_fits in MF. apply andb_true_iff in MF as [Ag Tg]. unfold type in Tg. rewrite Ti in Tg. apply is_eq in Tg.
      assert (TP : Forall (Forall (fun y => has_type y u)) parts).
      { apply Forall_forall. intros p IP. apply Forall_forall. intros y IY. rewrite Forall_forall in TE. apply TE.
        eapply Permutation_in; [symmetry; exact P|]. apply in_concat. eauto. }
      rewrite Mb in TO. specialize (TO parts P). rewrite WH, Mi in TO. rewrite <- TO. symmetry. now apply (partitions_same r l f k u R Af Tf g).
    + intros ys PY. rewrite Mb in TO. specialize (TO ys PY). rewrite WH, Mi in TO. rewrite <- TO. symmetry.
      apply (folded_same r l f k u); auto. eapply Permutation_Forall; eauto.
  - destruct (typeof None None i) as [k|] eqn:Ti; [|now destruct TT]. destruct (typeof None None b) as [[| | | | |[| | | |[|kt [|u [|]]]|]]|] eqn:Tb; try (now destruct TT).
    destruct (is (typeof (Some u) (Some k) f) k) eqn:Tf; [|now destruct TT]. apply is_eq in Tf.
    destruct (open_same r l b R Ab None None _ Tb) as [_ Mb]. specialize (Mb nothing nothing I I).
    fold (meaning r b) (meaning (open_env r l) (substitute (open_with l) b)) in Mb.
    pose proof (start_same r l i k R Ai Ti) as Mi. pose proof (typed_meaning r i k R Ti) as TZ.
    pose proof (has_type_elements _ _ (typed_meaning r b _ R Tb)) as TE.
    assert (TV : forall kv, Forall (fun y => has_type y u) (values_of_key kv (elements (meaning r b)))) by (intros; now apply (values_typed kv kt u)).
    destruct merge as [g|]; cbn [has_one_value option_map takes_any_parts takes_any_order] in TO |- *.
    + intros kv ys v PY IP. specialize (MF g eq_refl). unfold merge_fits in MF. apply andb_true_iff in MF as [Ag Tg]. unfold type in Tg. rewrite Ti in Tg. apply is_eq in Tg.
      rewrite Mb, Mi in TO. destruct (parts_same r l f k u R Af Tf g Ag Tg (meaning r i) ys v TZ IP) as [IP' _]; [eapply Permutation_Forall; eauto|].
      rewrite (TO kv ys v PY IP'). now apply (folded_same r l f k u).
    + intros kv ys PY. rewrite Mb, Mi in TO. specialize (TO kv ys PY).
      transitivity (fold_left (F' r l f) ys (meaning r i)); [symmetry; apply (folded_same r l f k u); auto; eapply Permutation_Forall; eauto|].
      transitivity (fold_left (F' r l f) (values_of_key kv (elements (meaning r b))) (meaning r i)); [exact TO|]. now apply (folded_same r l f k u).
Qed.

Theorem ordered_ok fuel t M inv evidence : ordered fuel t M inv evidence = true -> forall r, typed r -> takes_any_order r t.
Proof.
  unfold ordered. rewrite andb_true_iff. intros [A C] r R. destruct (type t) as [tt|] eqn:TT; [|discriminate].
  destruct (read_open (opened_fold t)) as [d|] eqn:RO; [|discriminate]. apply andb_true_iff in C as [OK D].
  apply (opened_one_value r t None R A); [rewrite TT; discriminate|discriminate|]. cbn [opened_merge option_map]. apply (ordered_open _ d M inv); auto using open_typed.
  intros p P. exact (proj2 (discharged_ok _ _ _ D p P)).
Qed.
