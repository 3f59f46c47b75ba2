(** * Order: a fold takes any two elements in either order

    [f (f M y) z = f (f M z) y] for elements [y], [z] of the folded bag.  Each is what a monomial makes of elements of its own,
    so the slots of the second monomial are renumbered to stand apart from those of the first. *)
From Tallystick Require Export NoAgg.

Record folded := { acc : name; aty : ty; ety : ty; init : term; udf : term; over : term; mons : list mono }.
Definition the_fold (d : folded) := Op Fold [init d; udf d; over d].
Definition state_of (d : folded) := Var (acc d) (aty d).

(** The slots of [o], renumbered to stand beside those of [ss]. *)
Definition renumbered (ss : list slot) (s : slot) : slot := (fst s, (snd s + count_slots ss s)%nat).
Definition beside (ss : list slot) (o : mono) : list (slot * slot) := map (fun s => (s, renumbered ss s)) (slots o).
Definition order (known : term) (d : folded) (mo : mono * mono) : term :=
  let '(m, o) := mo in
  let o2 := put_mono (beside (slots m) o) o in
  implies (conj [known; present m; present o2])
    (eq' (apply (Some (result o2)) (Some (apply (Some (result m)) (Some (state_of d)) (udf d))) (udf d))
         (apply (Some (result m)) (Some (apply (Some (result o2)) (Some (state_of d)) (udf d))) (udf d))).
Fixpoint pairs_from {A} (l : list A) : list (A * A) := match l with [] => [] | x :: r => map (pair x) l ++ pairs_from r end.
Definition orders (known : term) (d : folded) : list term := map (order known d) (pairs_from (mons d)).

Lemma pairs_from_in {A} (x y : A) l : In x l -> In y l -> In (x, y) (pairs_from l) \/ In (y, x) (pairs_from l).
Proof.
  induction l as [|z l IH]; [intros []|]. intros [<-|X] [<-|Y].
  - left. cbn. auto.
  - left. apply in_or_app. left. apply in_map. cbn; auto.
  - right. apply in_or_app. left. apply in_map. cbn; auto.
  - destruct (IH X Y); [left|right]; apply in_or_app; auto.
Qed.

(** The environment in which slots of [ss] have their values in [s1], renumbered ones those in [s2], and all else is as in [e]. *)
Definition both (ss : list slot) (e s1 s2 : env) : env := fun y u => match y with
  | S x i => if existsb (slot_eqb (x, u, i)) ss then s1 y u else s2 (S x (i - count_slots ss (x, u, i))%nat) u | _ => e y u end.
Lemma both_typed ss e s1 s2 : typed e -> typed s1 -> typed s2 -> typed (both ss e s1 s2).
Proof. intros E S1 S2 y u. unfold both. destruct y; auto. destruct (existsb _ _); auto. Qed.
Section Both.
  Variables (ss : list slot) (e s1 s2 : env).
  Hypotheses (E : typed e) (T1 : typed s1) (T2 : typed s2) (NU : numbered ss = true).
  Let b := both ss e s1 s2.
  Lemma both_plain t : plain t = true -> meaning b t = meaning e t.
  Proof. intros P. apply meaning_ext. intros y u U. pose proof (plain_occurs _ _ P u U). unfold b, both. destruct y; auto; discriminate. Qed.
  Lemma both_first t : covered ss t = true -> (forall y u, is_slot y = false -> uses y u t = true -> e y u = s1 y u) -> meaning b t = meaning s1 t.
  Proof.
    intros C H. apply meaning_ext. intros y u U. unfold b, both. destruct y; [now apply H| |now apply H|now apply H|now apply H].
    now rewrite (covered_uses _ _ _ _ _ C U).
  Qed.
  Lemma beside_typed o : typed_places (beside ss o).
  Proof. unfold typed_places, beside. apply Forall_map, Forall_forall. reflexivity. Qed.
  Lemma both_beside o s : NoDup (slots o) -> In s (slots o) -> at_slot (renamed (beside ss o) b) s = at_slot s2 s.
  Proof.
    intros N I. unfold at_slot, renamed. rewrite place_slot. unfold beside.
    assert (F : find (fun p => slot_eqb s (fst p)) (map (fun s => (s, renumbered ss s)) (slots o)) = Some (s, renumbered ss s)).
    { clear b NU. induction N as [|t l NI N IH]; [destruct I|]. cbn [map find fst]. destruct (slot_eqb s t) eqn:Q; [apply slot_eqb_eq in Q; now subst|].
      destruct I as [->|I]; [rewrite slot_eqb_refl in Q; discriminate|auto]. }
    rewrite F. cbn [snd]. destruct s as [[x u] i]. unfold renumbered, slot_name, slot_type, b, both; cbn [fst snd].
    destruct (existsb (slot_eqb (x, u, (i + count_slots ss (x, u, i))%nat)) ss) eqn:Y.
    - exfalso. apply existsb_exists in Y as (s & Hs & Y). apply slot_eqb_eq in Y. subst s. unfold numbered in NU.
      rewrite forallb_forall in NU. specialize (NU _ Hs). apply Nat.ltb_lt in NU. cbn [snd] in NU. unfold count_slots, slot_type in *; cbn [fst snd] in *. lia.
    - unfold count_slots, slot_type; cbn [fst snd]. now rewrite Nat.add_sub.
  Qed.
  Lemma both_second o t k : NoDup (slots o) -> covered (slots o) t = true -> type t = Some k ->
    (forall y u, is_slot y = false -> uses y u t = true -> e y u = s2 y u) ->
    type (put (beside ss o) t) = Some k /\ meaning b (put (beside ss o) t) = meaning s2 t.
  Proof.
    intros N C T H. assert (TB : typed b) by now apply both_typed.
    destruct (put_ok (beside ss o) b t k TB (beside_typed o) T) as [P1 P2]. split; auto. rewrite P2.
    apply meaning_ext. intros y u U. destruct (is_slot y) eqn:Y.
    - destruct y as [|x i| | |]; try discriminate. exact (both_beside o (x, u, i) N (covered_in _ _ _ _ _ C U)).
    - rewrite renamed_plain by auto. rewrite <- H by auto. unfold b, both. destruct y; auto; discriminate.
  Qed.
End Both.

Lemma order_ok known (d : folded) m o e s1 s2 y1 y2 : typed e -> typed s1 -> typed s2 ->
  bool_term known -> plain known = true -> toB (meaning e known) = true -> well (ety d) m -> well (ety d) o -> indexed m -> indexed o ->
  typeof (Some (ety d)) (Some (aty d)) (udf d) = Some (aty d) -> plain (udf d) = true -> is_slot (acc d) = false ->
  (forall t, In t [present m; result m; present o; result o] -> forall y u, is_slot y = false -> uses y u t = true -> e y u = s1 y u /\ e y u = s2 y u) ->
  valid (order known d (m, o)) -> In y1 (out s1 m) -> In y2 (out s2 o) ->
  let F m x := eval e x m (udf d) in F (F (e (acc d) (aty d)) y1) y2 = F (F (e (acc d) (aty d)) y2) y1.
Proof.
  intros E T1 T2 BK PK HK [W1 W2] [V1 V2] [N1 C1 C2 NU] [N2 C3 C4 _] TU PU AS AG W. unfold out.
  destruct (toB (meaning s1 (present m))) eqn:P1; [|intros []]. destruct (toB (meaning s2 (present o))) eqn:P2; [|intros _ []].
  intros [<-|[]] [<-|[]]. pose (F := fun m x => eval e x m (udf d)). set (ss := slots m) in *. set (b := both ss e s1 s2).
  pose proof (both_typed ss e s1 s2 E T1 T2) as TB. fold b in TB. set (l := beside ss o).
  destruct (both_second ss e s1 s2 E T1 T2 NU o (present o) TBool N2 C3 V2) as [Q1 Q2]; [intros; apply (AG (present o)); cbn; auto|].
  destruct (both_second ss e s1 s2 E T1 T2 NU o (result o) (ety d) N2 C4 V1) as [Q3 Q4]; [intros; apply (AG (result o)); cbn; auto|].
  fold b l in Q1, Q2, Q3, Q4.
  assert (M1 : meaning b (present m) = meaning s1 (present m)).
  { apply both_first; auto. intros; apply (AG (present m)); cbn; auto. }
  assert (M2 : meaning b (result m) = meaning s1 (result m)).
  { apply both_first; auto. intros; apply (AG (result m)); cbn; auto. }
  assert (AB : b (acc d) (aty d) = e (acc d) (aty d)). { unfold b, both. destruct (acc d); auto; discriminate. }
  specialize (W b TB). unfold order in W. cbv zeta in W. cbn [put_mono present result] in W. fold ss l in W.
  destruct (conj_list_ok b [known; present m; put l (present o)] TB) as [D1 D2]; [repeat constructor; auto|].
  assert (AP : forall x k w, type x = Some (ety d) -> type k = Some (aty d) -> w = meaning b k ->
     type (apply (Some x) (Some k) (udf d)) = Some (aty d) /\ meaning b (apply (Some x) (Some k) (udf d)) = F w (meaning b x)).
  { intros x k w X K ->. unfold F. rewrite (eval_ext e b (udf d)).
    - apply (apply_ok b TB (udf d) (Some (ety d)) (Some (aty d))); cbn; auto; now apply typed_meaning.
    - intros y u U. pose proof (plain_occurs _ _ PU u U). unfold b, both. destruct y; auto; discriminate. }
  destruct (AP (result m) (state_of d) (b (acc d) (aty d)) W1 eq_refl eq_refl) as [E1 E2].
  destruct (AP (put l (result o)) (state_of d) (b (acc d) (aty d)) Q3 eq_refl eq_refl) as [E3 E4].
  destruct (AP (put l (result o)) _ _ Q3 E1 eq_refl) as [E5 E6].
  destruct (AP (result m) _ _ W1 E3 eq_refl) as [E7 E8].
  destruct (eq_ok b _ _ (aty d) TB E5 E7) as [H1 H2].
  rewrite (proj2 (implies_ok b _ _ TB D1 H1)), D2, H2 in W. cbn [map forallb] in W.
  unfold b at 1 in W. rewrite (both_plain ss e s1 s2 known PK), HK in W. fold b in W. rewrite M1, Q2, P1, P2 in W. cbn [andb implb] in W.
  apply veqb_eq in W. rewrite E6, E8, E2, E4, Q4, M2, AB in W. exact W.
Qed.
(** In either order of the two monomials. *)
Lemma orders_ok known (d : folded) m o e s1 s2 y1 y2 : typed e -> typed s1 -> typed s2 ->
  bool_term known -> plain known = true -> toB (meaning e known) = true -> Forall (well (ety d)) (mons d) -> Forall indexed (mons d) ->
  typeof (Some (ety d)) (Some (aty d)) (udf d) = Some (aty d) -> plain (udf d) = true -> is_slot (acc d) = false ->
  (forall m t, In m (mons d) -> In t [present m; result m] -> forall y u, is_slot y = false -> uses y u t = true -> e y u = s1 y u /\ e y u = s2 y u) ->
  (forall p, In p (orders known d) -> valid p) -> In m (mons d) -> In o (mons d) -> In y1 (out s1 m) -> In y2 (out s2 o) ->
  let F m x := eval e x m (udf d) in F (F (e (acc d) (aty d)) y1) y2 = F (F (e (acc d) (aty d)) y2) y1.
Proof.
  intros E T1 T2 BK PK HK W X TU PU AS AG V IM IO Y1 Y2. rewrite Forall_forall in W, X.
  destruct (pairs_from_in m o (mons d) IM IO) as [P|P]; [|symmetry].
  - apply (order_ok known d m o e s1 s2 y1 y2); auto; [|apply V, in_map; auto].
    intros t [<-|[<-|[<-|[<-|[]]]]] y u; [apply (AG m)|apply (AG m)|apply (AG o)|apply (AG o)]; cbn; auto.
  - apply (order_ok known d o m e s2 s1 y2 y1); auto; [|apply V, in_map; auto].
    intros t [<-|[<-|[<-|[<-|[]]]]] y u Y U; apply and_comm; [apply (AG o (present o))|apply (AG o (result o))|apply (AG m (present m))|apply (AG m (result m))]; cbn; auto.
Qed.
